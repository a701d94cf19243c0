/** What both sides of a talk hear of the server while they do not hear each other. */
import type { Channel } from '../switch/channel.js'
import { Music } from './music.js'
import type { Side } from './talk-mark.js'

export class TalkSounds {
  private readonly playing = new Map<Side, Music>()

  /** Has a side hear this from now on, in place of what it heard; null for nothing. */
  async play(side: Side, channel: Channel, source: string | null): Promise<void> {
    const playing = this.playing.get(side)
    if (playing?.channel === channel && playing.source === source) return
    this.playing.delete(side)
    await playing?.stop()
    if (source !== null && !channel.end) this.playing.set(side, new Music(channel, source))
  }

  /** Resolves when both are quiet. */
  async stop(): Promise<void> {
    await Promise.all([...this.playing.values()].map(async (one) => one.stop()))
  }
}
