/** Ringback for a caller while destinations are dialled. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'

/** The default: the tone of North America. */
export const ringbackTone = 'tone_stream://%(2000,4000,440,480);loops=-1'

export class Ringback {
  private playing: { stop: AbortController; done: Promise<void> } | undefined
  private isClosed = false

  /** @param file null for a tone: unanswered callers get their own network's */
  constructor(
    private readonly caller: Channel,
    private readonly file: string | null,
  ) {}

  /** True if early media may replace it: no file was asked for. */
  get givesWay(): boolean {
    return this.file === null
  }

  /** Starts or continues it. */
  start(): void {
    if (this.playing || this.isClosed) return
    const stop = new AbortController()
    this.playing = { stop, done: this.play(stop.signal).catch(() => undefined) }
  }

  async pause(): Promise<void> {
    const { playing } = this
    this.playing = undefined
    playing?.stop.abort()
    await playing?.done
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.pause()
  }

  private async play(signal: AbortSignal): Promise<void> {
    const { caller, file } = this
    if (file !== null) await caller.openEarlyMedia()
    if (caller.hasMedia) await caller.playForever(file ?? ringbackTone, signal)
    else await caller.ring()
  }
}
