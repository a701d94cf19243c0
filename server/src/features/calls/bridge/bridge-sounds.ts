/** What the server plays to both sides of a parted bridge. */
import type { Side } from './side.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { Music } from './music.js'

export class BridgeSounds {
  private readonly playing = new Map<Side, Music>()

  /** Plays this to a side from now on, instead of what was playing; null for nothing. */
  async play(side: Side, channel: Channel, source: string | null): Promise<void> {
    const playing = this.playing.get(side)
    if (playing?.channel === channel && playing.source === source) return
    this.playing.delete(side)
    await playing?.stop()
    if (source !== null && !channel.end) this.playing.set(side, new Music(channel, source))
  }

  /** Resolves when both playbacks have stopped. */
  async stop(): Promise<void> {
    await Promise.all([...this.playing.values()].map(async (one) => one.stop()))
  }
}
