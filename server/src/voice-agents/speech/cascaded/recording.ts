import { joinedSamples } from '../../../media/joined-samples.js'
import type { SoundStream } from '../sound/sound-analysis.js'

/** How long what is still noisy is waited for, in milliseconds: then it is taken as it is. */
const patienceMs = 500

/** The sound of one utterance, frame by frame, without its noise where that is wanted. */
export class Recording {
  private readonly frames: Int16Array[] = []
  private cleaned: Int16Array[] = []
  private cleanedLength = 0
  private waiting: { length: number; resolve: () => void } | null = null

  /** @param stream takes the noise out of it; null: nothing does */
  constructor(
    readonly id: number,
    private readonly stream: SoundStream | null,
    frames: readonly Int16Array[],
  ) {
    for (const frame of frames) this.add(frame)
  }

  /** Of frames. */
  get length(): number {
    return this.frames.length
  }

  add(frame: Int16Array): void {
    this.frames.push(frame)
    this.stream?.clean(this.id, frame)
  }

  /** What comes next of it, without noise. */
  clean(samples: Int16Array): void {
    this.cleaned.push(samples)
    this.cleanedLength += samples.length
    if (this.waiting && this.cleanedLength >= this.waiting.length) this.waiting.resolve()
  }

  /** The last frames, for what follows it. */
  last(count: number): Int16Array[] {
    return this.frames.slice(-count)
  }

  /** The sound of the first frames. */
  async samples(frames: number): Promise<Int16Array> {
    const noisy = joinedSamples(this.frames.slice(0, frames))
    if (!this.stream) return noisy
    await this.isClean(noisy.length)
    const clean = joinedSamples(this.cleaned).subarray(0, noisy.length)
    noisy.set(clean)
    return noisy
  }

  private async isClean(length: number): Promise<void> {
    if (this.cleanedLength >= length) return
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, patienceMs)
      this.waiting = {
        length,
        resolve: () => {
          clearTimeout(late)
          resolve()
        },
      }
    })
    this.waiting = null
  }
}
