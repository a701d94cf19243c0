/** What somebody hears who waits in a call: the same over and over, until it is stopped or they hang up. */
import type { Channel } from '../switch/channel.js'

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

  /** Resolves when the channel is quiet. */
  async stop(): Promise<void> {
    this.over.abort()
    await this.playing
  }
}
