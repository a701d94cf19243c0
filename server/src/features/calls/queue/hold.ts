/** What a caller hears while waiting in a queue: music, and now and then their position. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { builtInMusic } from '../../../adapters/freeswitch/hold-music.js'
import type { CallMedia } from '../model/call-media.js'
import type { QueuePosition } from './queue-position.js'

/** Pause before the built-in music replaces a file that could not be played. */
const replayMs = 200

/** The least time between two announcements of the position. */
const announceEveryMs = 30_000

interface HoldOptions {
  line: Channel
  workspace: Owner
  media: Pick<CallMedia, 'speechFile'>
  place: QueuePosition
  /** A file or tone. */
  music: string
  /** Whether positions are announced. */
  announce: boolean
}

export class Hold {
  private readonly over = new AbortController()
  private readonly playing: Promise<void>
  /** Rejects when nothing can be played any more: the caller has hung up, or the link was lost. */
  private readonly broken: Promise<never>
  private announced = 0
  private announcedAt = 0
  private cut: AbortController | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly reconsider = (): void => this.schedule()

  constructor(private readonly options: HoldOptions) {
    this.playing = this.play()
    this.broken = this.playing.then(async () => new Promise<never>(() => undefined))
    this.broken.catch(() => undefined)
    options.place.on('moved', this.reconsider)
  }

  /** Waits for `work` while the caller hears this. @throws what ends the call */
  async during<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.broken])
  }

  /** Resolves when the line is quiet. */
  async stop(): Promise<void> {
    this.options.place.off('moved', this.reconsider)
    clearTimeout(this.timer)
    this.over.abort()
    await this.playing.catch(() => undefined)
  }

  private async play(): Promise<void> {
    const { line, music } = this.options
    const { signal } = this.over
    let source = music
    while (!signal.aborted) {
      if (this.isDue) await this.announce(signal)
      const cut = new AbortController()
      this.cut = cut
      this.schedule()
      const until = AbortSignal.any([signal, cut.signal])
      await line.playForever(source, until)
      if (until.aborted) continue
      // A file that cannot be played must not become silence, or a loop without a pause.
      source = builtInMusic
      await sleep(replayMs, undefined, { ref: false })
    }
  }

  private async announce(signal: AbortSignal): Promise<void> {
    const { line, media, place, workspace } = this.options
    this.announced = place.position
    this.announcedAt = Date.now()
    const text = this.announced === 1 ? 'You are next in line.' : `You are number ${this.announced} in line.`
    const file = await media.speechFile(workspace, text, {}).catch(() => null)
    if (file !== null && !signal.aborted) await line.play(file, signal)
  }

  private get isDue(): boolean {
    const { announce, place } = this.options
    if (!announce || place.isOffered || place.position === this.announced) return false
    return Date.now() - this.announcedAt >= announceEveryMs
  }

  /** Interrupts the music when an announcement is due. */
  private schedule(): void {
    const { announce, place } = this.options
    clearTimeout(this.timer)
    if (!announce || place.position === this.announced) return
    const wait = Math.max(0, this.announcedAt + announceEveryMs - Date.now())
    this.timer = setTimeout(() => {
      if (this.isDue) this.cut?.abort()
    }, wait)
  }
}
