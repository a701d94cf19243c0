/** Sound that waits to be played. */
export class AudioQueue {
  private chunks: Int16Array[] = []
  /** Samples of the first chunk that were taken. */
  private taken = 0
  private waiting = 0

  /** @param capacity samples that it holds */
  constructor(private readonly capacity: number) {}

  /** How many samples wait. */
  get length(): number {
    return this.waiting
  }

  /** @returns how many samples did not fit */
  add(samples: Int16Array): number {
    const fitting = Math.min(samples.length, this.capacity - this.waiting)
    // A copy: who writes may use its memory again.
    if (fitting > 0) this.chunks.push(samples.slice(0, fitting))
    this.waiting += fitting
    return samples.length - fitting
  }

  /** Moves what comes next to the beginning of `frame`. @returns how many samples there were */
  take(frame: Int16Array): number {
    let filled = 0
    while (filled < frame.length && this.chunks[0]) {
      const [first] = this.chunks
      const part = first.subarray(this.taken, this.taken + frame.length - filled)
      frame.set(part, filled)
      filled += part.length
      this.taken += part.length
      if (this.taken === first.length) {
        this.chunks.shift()
        this.taken = 0
      }
    }
    this.waiting -= filled
    return filled
  }

  /** @returns how many samples were dropped */
  clear(): number {
    const dropped = this.waiting
    this.chunks = []
    this.taken = this.waiting = 0
    return dropped
  }
}
