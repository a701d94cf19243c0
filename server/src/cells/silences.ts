/**
 * For how long other cells have not been heard of, as this server has seen it with its own eyes. What the table says is
 * not enough: after the database was away from all, all beats are old, and those who write them live.
 */
import type { Cell } from './cell.entity.js'

/** Between two looks further apart than this nobody knows who was silent. */
const longestGapMs = 6_000

export class Silences {
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
