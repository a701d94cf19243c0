import { joinedSamples } from '../../../lib/sound/joined-samples.js'
import type { SoundStream } from '../sound/sound-analysis.js'

/** How long to wait for noise reduction, in milliseconds; after that, the noisy sound is used. */
const patienceMs = 500

/**
 * Frames of quiet that are left of a pause, at its beginning and at its end: 400 ms. Recognisers end a sentence in a
 * longer one (pocketsphinx), or invent words for it (Whisper).
 */
const keptOfPause = 10

/** The sound of one utterance, frame by frame, with its noise removed if that is wanted. */
export class Recording {
  private readonly frames: Int16Array[] = []
  /** Whether each frame is quiet. */
  private readonly quiet: boolean[] = []
  private cleaned: Int16Array[] = []
  private cleanedLength = 0
  private waiting: { length: number; resolve: () => void } | null = null

  /** @param stream takes the noise out of it; null: nothing does */
  constructor(
    readonly id: number,
    private readonly stream: SoundStream | null,
    frames: readonly Int16Array[],
  ) {
    for (const frame of frames) this.add(frame, false)
  }

  /** Of frames. */
  get length(): number {
    return this.frames.length
  }

  add(frame: Int16Array, isQuiet: boolean): void {
    this.frames.push(frame)
    this.quiet.push(isQuiet)
    this.stream?.clean(this.id, frame)
  }

  /** Next samples of it, without noise. */
  clean(samples: Int16Array): void {
    this.cleaned.push(samples)
    this.cleanedLength += samples.length
    if (this.waiting && this.cleanedLength >= this.waiting.length) this.waiting.resolve()
  }

  /** The last frames, for what follows it. */
  last(count: number): Int16Array[] {
    return this.frames.slice(-count)
  }

  /** The sound of the first frames, without the middle of long pauses. */
  async samples(frames: number): Promise<Int16Array> {
    const all = joinedSamples(this.frames.slice(0, frames))
    if (this.stream) {
      await this.isClean(all.length)
      all.set(joinedSamples(this.cleaned).subarray(0, all.length))
    }
    const length = this.frames[0]?.length ?? 0
    const around = (index: number) =>
      this.quiet.slice(Math.max(0, index - keptOfPause), index + keptOfPause + 1)
    const isKept = (index: number) => around(index).length <= 2 * keptOfPause || around(index).includes(false)
    const kept = this.frames
      .slice(0, frames)
      .flatMap((_, index) => (isKept(index) ? [all.subarray(index * length, (index + 1) * length)] : []))
    return joinedSamples(kept)
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
