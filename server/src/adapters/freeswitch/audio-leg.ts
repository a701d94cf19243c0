/** The far end of a leg whose raw audio ends in this process: it answers the switch's offers with an RTP port of its own. */
import { audioAnswer, readAudioOffer } from './audio-sdp.js'
import type { LegOffer } from './leg-answerer.js'
import type { SampleRate } from '../../lib/sound/sample-rate.js'
import { RtpAudio } from './rtp-audio.js'

const unavailable = 503
const notAcceptable = 488

interface Options {
  readonly sampleRate: SampleRate
  /** How much sound may wait to be played, in seconds. */
  readonly queuedSeconds?: number | undefined
  /** Waited for before the leg is answered; where it fails the leg does too, with SIP 503. */
  readonly ready?: Promise<unknown>
  /** Called once, before the first frame comes. */
  readonly opened?: (audio: RtpAudio) => void
}

export class AudioLeg {
  /** Set once the leg is answered, or about to be. */
  audio: RtpAudio | undefined
  private isClosed = false

  constructor(private readonly options: Options) {}

  /** Answers an offer, also a re-INVITE; refuses another sample rate with SIP 488. */
  async answer(offer: LegOffer): Promise<void> {
    const remote = readAudioOffer(offer.sdp)
    if (remote?.sampleRate !== this.options.sampleRate) {
      offer.refuse(notAcceptable)
      return
    }
    try {
      await this.options.ready
      const audio = this.audio ?? (await RtpAudio.open(remote, this.options.queuedSeconds))
      if (!this.audio) this.options.opened?.(audio)
      this.audio = audio
      audio.connect(remote)
      const isTaken = offer.answer(audioAnswer(remote, audio.port))
      if (this.isClosed || (!isTaken && !offer.isRenewal)) audio.close()
    } catch {
      offer.refuse(unavailable)
    }
  }

  /** Stops receiving and playing. */
  close(): void {
    this.isClosed = true
    this.audio?.close()
  }
}
