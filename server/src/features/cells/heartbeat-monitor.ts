/**
 * How long other cells have been silent, as measured by this server. The table's timestamps are not enough: after the
 * database was out of reach of all cells, all heartbeats are old though their cells live.
 */
import type { Cell } from './cell.entity.js'

/** If two looks are further apart than this, in milliseconds, the time between them does not count as silence. */
const longestGapMs = 6_000

export class HeartbeatMonitor {
  private readonly seen = new Map<string, { beat: number; since: number }>()
  private lookedAt = 0

  /** @param now milliseconds by a clock that is never set */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes what the table says in this moment. */
  look(cells: readonly Pick<Cell, 'name' | 'beat_at'>[]): void {
    const now = this.now()
    if (now - this.lookedAt > longestGapMs) this.forget()
    this.lookedAt = now
    for (const { name, beat_at } of cells) {
      const beat = beat_at.getTime()
      if (this.seen.get(name)?.beat !== beat) this.seen.set(name, { beat, since: now })
    }
  }

  /** The table could not be read: all may have been heard of meanwhile. */
  forget(): void {
    this.seen.clear()
  }

  /** @returns milliseconds, up to the last look */
  of(name: string): number {
    return this.lookedAt - (this.seen.get(name)?.since ?? this.lookedAt)
  }
}
