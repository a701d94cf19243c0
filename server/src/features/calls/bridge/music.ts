/** Music or a tone for a waiting party: repeats until it is stopped or the party hangs up. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'

export class Music {
  private readonly over = new AbortController()
  private readonly playing: Promise<void>

  /** @param source a file or tone */
  constructor(
    readonly channel: Channel,
    readonly source: string,
  ) {
    this.playing = channel.playForever(source, this.over.signal).catch(() => undefined)
  }

  /** Resolves when playback has stopped. */
  async stop(): Promise<void> {
    this.over.abort()
    await this.playing
  }
}
