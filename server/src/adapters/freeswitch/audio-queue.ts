/** Queue of samples to play. It takes the memory of what is queued, however small the pieces that were written. */

/** Samples of one block. */
const blockSize = 4_800

export class AudioQueue {
  private blocks: Int16Array[] = []
  /** Index of the first sample in the first block, and of the end in the last block. */
  private start = 0
  private end = blockSize
  private waiting = 0

  /** @param capacity samples that it holds */
  constructor(private readonly capacity: number) {}

  /** How many samples wait. */
  get length(): number {
    return this.waiting
  }

  /** Adds a copy. @returns how many samples did not fit */
  add(samples: Int16Array): number {
    const fitting = Math.min(samples.length, this.capacity - this.waiting)
    for (let added = 0; added < fitting;) {
      if (this.end === blockSize) {
        this.blocks.push(new Int16Array(blockSize))
        this.end = 0
      }
      const part = samples.subarray(added, Math.min(fitting, added + blockSize - this.end))
      this.blocks.at(-1)?.set(part, this.end)
      this.end += part.length
      added += part.length
    }
    this.waiting += fitting
    return samples.length - fitting
  }

  /** Moves what comes next to the beginning of `frame`. @returns how many samples there were */
  take(frame: Int16Array): number {
    const wanted = Math.min(frame.length, this.waiting)
    for (let taken = 0; taken < wanted;) {
      const [first = frame] = this.blocks
      const part = first.subarray(this.start, this.start + wanted - taken)
      frame.set(part, taken)
      taken += part.length
      this.start += part.length
      if (this.start === blockSize) {
        this.blocks.shift()
        this.start = 0
      }
    }
    this.waiting -= wanted
    if (this.waiting === 0) this.forget()
    return wanted
  }

  /** @returns how many samples were dropped */
  clear(): number {
    const dropped = this.waiting
    this.waiting = 0
    this.forget()
    return dropped
  }

  private forget(): void {
    this.blocks = []
    this.start = 0
    this.end = blockSize
  }
}
