/** Counts what may be tried a few times only, by name, in windows that begin with the first try. */

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

/** Lives in this process: each of several servers counts for itself. */
export class Attempts {
  private readonly windows = new Map<string, Window>()

  constructor(
    readonly settings: Settings,
    private readonly now: () => number = Date.now,
  ) {}

  /** Seconds until a name may try again; 0 when it may now. */
  pauseOf(name: string): number {
    const window = this.windows.get(name)
    if (!window || window.tries < this.settings.max) return 0
    return Math.max(0, Math.ceil((window.endsAt - this.now()) / 1000))
  }

  /** Counts a try. */
  add(name: string): void {
    this.windowOf(name).tries++
  }

  /** Forgets the tries of a name. */
  clear(name: string): void {
    this.windows.delete(name)
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
