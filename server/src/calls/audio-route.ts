/** Ways to what hears and speaks in this process: a voice agent, or a customer's WebSocket. */
import { AudioLeg } from '../switch/audio-leg.js'
import type { Channel } from '../switch/channel.js'
import type { LegOffer } from '../switch/leg-answerer.js'
import type { RawAudio, SampleRate } from '../switch/raw-audio.js'
import type { CallLeg, LegRole } from './call-leg.entity.js'
import type { Route } from './call-routing.js'
import type { Call } from './call.entity.js'
import { newLeg } from './new-leg.js'

/** What is at the far end of a leg, once it is ready. */
export interface AudioFarEnd {
  /** The leg is answered, and is joined with the caller in a moment: the first frame comes then. Called once at most. */
  begin(leg: { leg: CallLeg; channel: Channel; audio: RawAudio }): void
  /** The leg is over, or never came to be. Called once, whatever happened. */
  end(): void
}

export interface AudioRoute {
  readonly sampleRate: SampleRate
  /** Seconds of sound that may wait to be played; as many as a model may be ahead by, where nothing is said. */
  readonly maxQueuedSeconds?: number
  /** Whose voice it is; null for a customer's stream. */
  readonly voiceAgentId: string | null
  /** What the leg's row has in place of an address, for example `voice-agent:va_…`. */
  readonly uri: string
  /**
   * Makes the far end ready: the leg rings meanwhile, and is answered then. A leg whose far end cannot be made ready
   * fails with SIP 503.
   * @param signal aborted when nobody waits for it any more
   */
  prepare(call: Call, signal: AbortSignal): Promise<AudioFarEnd>
}

/** The row of a leg to it. */
export function audioLegOf(
  call: Call,
  { number, rate }: Route,
  { voiceAgentId, uri }: AudioRoute,
  role: LegRole,
  channelId: string,
): CallLeg {
  return newLeg(call, {
    ...{ channel_id: channelId, role, number, uri },
    ...{ voice_agent_id: voiceAgentId, ...rate },
  })
}

/** One leg to it, from the switch's offer to the end. */
export class AudioFarEndLeg {
  private readonly over = new AbortController()
  private readonly ready: Promise<AudioFarEnd>
  private readonly ours: AudioLeg

  constructor(
    call: Call,
    private readonly leg: CallLeg,
    route: AudioRoute,
    signal: AbortSignal,
  ) {
    this.ready = route.prepare(call, AbortSignal.any([signal, this.over.signal]))
    this.ready.catch(() => undefined)
    const { sampleRate, maxQueuedSeconds: queuedSeconds } = route
    this.ours = new AudioLeg({ sampleRate, queuedSeconds, ready: this.ready })
  }

  /** Answers the switch as soon as the far end is ready. */
  async answer(offer: LegOffer): Promise<void> {
    return this.ours.answer(offer)
  }

  /** Ends with its channel, and when nobody sees any more what becomes of that. */
  follow(channel: Channel): void {
    const end = () => {
      if (this.over.signal.aborted) return
      this.over.abort()
      this.ours.close()
      this.ready.then((far) => far.end()).catch(() => undefined)
    }
    channel.once('ended', end)
    channel.once('abandoned', end)
    if (channel.end) end()
  }

  /** The channel is answered. */
  begin(channel: Channel): void {
    const { leg } = this
    const { audio } = this.ours
    if (!audio || this.over.signal.aborted) return
    this.ready.then((far) => far.begin({ leg, channel, audio })).catch(() => undefined)
  }
}
