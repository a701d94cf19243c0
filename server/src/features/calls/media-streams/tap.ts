/** A tap: a leg that copies another channel's audio as raw frames. */
import { EventEmitter } from 'node:events'
import { AudioLeg } from '../../../adapters/freeswitch/audio-leg.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { LegOffer } from '../../../adapters/freeswitch/leg-answerer.js'
import type { RawAudio } from '../../../adapters/freeswitch/raw-audio.js'
import type { Switchboard, TappedTrack } from '../../../adapters/freeswitch/switchboard.js'

interface TapEvents {
  /** 20 ms. */
  frame: [samples: Int16Array]
  ended: []
  /** The connection to the switch was lost: the state of the tap is unknown. */
  abandoned: []
}

export interface TapOptions {
  readonly switchboard: Switchboard
  /** The tapped channel. */
  readonly target: Channel
  readonly track: TappedTrack
  /** The highest useful sample rate. */
  readonly sampleRate: 8000 | 16000
  /** Seconds. */
  readonly maxDuration: number
  readonly recoveryVariables: Readonly<Record<string, string>>
}

/** Seconds for the switch to connect to this process. */
const ringSeconds = 10

const unavailable = 503

export class Tap extends EventEmitter<TapEvents> {
  private readonly leg: AudioLeg
  private isOver = false

  private constructor(
    private readonly channel: Channel,
    readonly sampleRate: 8000 | 16000,
  ) {
    super()
    const opened = (audio: RawAudio) => audio.on('frame', (samples) => this.emit('frame', samples))
    this.leg = new AudioLeg({ sampleRate, opened })
    channel.once('ended', () => this.over('ended'))
    channel.once('abandoned', () => this.over('abandoned'))
    if (channel.end) this.over('ended')
  }

  /**
   * Taps a channel, at 8,000 Hz if it has no more: the switch does not upsample taps.
   * @returns null if the channel has gone
   */
  static async open({ switchboard, target, track, sampleRate, ...options }: TapOptions): Promise<Tap | null> {
    const seen = await switchboard.look(target.id)
    if (!seen || target.end) return null
    const rate = seen.sampleRate >= 16_000 ? sampleRate : 8000
    const channelId = switchboard.newChannelId()
    const offers: { take: (offer: LegOffer) => void } = { take: (offer) => void offer.refuse(unavailable) }
    const channel = switchboard.dialAudio(
      {
        ...{ channelId, sampleRate: rate, ringTimeout: ringSeconds, afterBridge: 'hangup' },
        ...{ maxDuration: options.maxDuration, recoveryVariables: options.recoveryVariables },
        taps: { channelId: target.id, track },
      },
      (offer) => offers.take(offer),
    )
    const tap = new Tap(channel, rate)
    offers.take = (offer) => void tap.leg.answer(offer)
    return tap
  }

  get channelId(): string {
    return this.channel.id
  }

  /** Ends it; no frames follow. */
  stop(): void {
    this.over(null)
    void this.channel.hangUp('NORMAL_CLEARING').catch(() => undefined)
  }

  private over(event: 'ended' | 'abandoned' | null): void {
    if (this.isOver) return
    this.isOver = true
    this.leg.close()
    if (event) this.emit(event)
    this.removeAllListeners()
  }
}
