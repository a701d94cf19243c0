/**
 * Counts what may be tried a few times only, by name, in windows that begin with the first try: with other servers where
 * they count together, and in this process in any case.
 */
import type { SharedCounters } from '../../infrastructure/http/shared-counters.js'

interface Settings {
  /** Tries in a window. */
  max: number
  /** Length of a window, in milliseconds. */
  windowMs: number
}

interface Window {
  tries: number
  endsAt: number
}

/** Names that are counted at once; beyond them the oldest window is forgotten. */
const maxNames = 100_000

export class Attempts {
  private readonly windows = new Map<string, Window>()

  constructor(
    readonly settings: Settings,
    private readonly shared: { readonly counters: SharedCounters; readonly prefix: string } | null = null,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Counts a try before it is made, so that of many at once none slips through.
   * @returns 0 if the try may be made, or the seconds until the name may try again
   */
  async take(name: string): Promise<number> {
    const pause = this.pauseOf(name)
    if (pause === 0) this.add(name)
    const { max, windowMs } = this.settings
    const known = await this.shared?.counters.add(this.shared.prefix + name, windowMs)
    if (!known) return pause
    return known.count > max ? Math.max(1, Math.ceil(known.endsInMs / 1000)) : 0
  }

  /** Seconds until a name may try again, by what this process has counted; 0 when it may now. */
  pauseOf(name: string): number {
    const window = this.windows.get(name)
    if (!window || window.tries < this.settings.max) return 0
    return Math.max(0, Math.ceil((window.endsAt - this.now()) / 1000))
  }

  /**
   * Counts a failure after it is known. Once there were too many at all servers, {@link pauseOf} says so here as well.
   */
  async fail(name: string): Promise<void> {
    this.add(name)
    const { max, windowMs } = this.settings
    const known = await this.shared?.counters.add(this.shared.prefix + name, windowMs)
    if (!known || known.count < max) return
    const window = this.windowOf(name)
    window.tries = Math.max(window.tries, max)
    window.endsAt = this.now() + known.endsInMs
  }

  /** Counts a try in this process. */
  add(name: string): void {
    this.windowOf(name).tries++
  }

  /** Forgets the tries of a name. */
  async clear(name: string): Promise<void> {
    this.windows.delete(name)
    await this.shared?.counters.clear(this.shared.prefix + name)
  }

  private windowOf(name: string): Window {
    const known = this.windows.get(name)
    if (known && known.endsAt > this.now()) return known
    this.windows.delete(name)
    const [oldest] = this.windows.keys()
    if (oldest !== undefined && this.windows.size >= maxNames) this.windows.delete(oldest)
    const window = { tries: 0, endsAt: this.now() + this.settings.windowMs }
    this.windows.set(name, window)
    return window
  }
}
