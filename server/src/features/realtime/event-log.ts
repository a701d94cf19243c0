/** The latest events of a workspace, for streams that were cut and come back. */
import type { Subscriber } from './audience.js'
import { reaches } from './audience.js'
import type { LoggedEvent } from './logged-event.js'

/** How many of a workspace's events are stored; the first bound that is reached applies. */
export interface LogBounds {
  readonly maxEvents: number
  readonly maxBytes: number
  readonly maxAgeMs: number
}

export class EventLog {
  private entries: LoggedEvent[] = []
  private bytes = 0
  private touchedAt = Date.now()

  /** @param before the id for the position before the first event */
  constructor(
    private before: string,
    private readonly bounds: LogBounds,
  ) {}

  /** The id from which an up-to-date stream resumes. */
  get head(): string {
    return this.entries.at(-1)?.id ?? this.before
  }

  /** Whether the last event is so old that no stream can miss it. */
  isIdle(now = Date.now()): boolean {
    return this.entries.length === 0 && now - this.touchedAt > this.bounds.maxAgeMs
  }

  /** A stream is open, or was until now. */
  touch(): void {
    this.touchedAt = Date.now()
  }

  add(event: LoggedEvent): void {
    this.touch()
    this.entries.push(event)
    this.bytes += event.size
    this.trim()
  }

  /** Removes events beyond the bounds. */
  trim(now = Date.now()): void {
    const { maxEvents, maxBytes, maxAgeMs } = this.bounds
    let over = 0
    let { bytes } = this
    for (const event of this.entries) {
      const fits = this.entries.length - over <= maxEvents && bytes <= maxBytes
      if (fits && now - event.at <= maxAgeMs) break
      bytes -= event.size
      over += 1
    }
    const last = over > 0 ? this.entries[over - 1] : undefined
    if (!last) return
    this.before = last.id
    this.bytes = bytes
    this.entries = this.entries.slice(over)
  }

  /**
   * The events that a stream has missed since an event.
   * @returns null if that event is not stored any more: some may be missing
   */
  since(id: string, stream: Subscriber): LoggedEvent[] | null {
    const index = this.entries.findLastIndex((event) => event.id === id)
    if (index === -1 && id !== this.before) return null
    return this.entries.slice(index + 1).filter((event) => reaches(event, stream))
  }
}
