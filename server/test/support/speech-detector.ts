/** Hears when somebody begins to speak and when they have stopped, by how loud it is. */
const frameMs = 20

export class SpeechDetector {
  private rest = new Int16Array()
  private loudMs = 0
  private quietMs = 0
  isSpeech = false
  /** Of all that was heard. */
  heardMs = 0

  constructor(
    private readonly rate: number,
    /** Root mean square of a frame that is speech. */
    private readonly threshold: number,
    private readonly startMs: number,
  ) {}

  /** @returns what changed in these samples, in order */
  hear(samples: Int16Array, silenceMs: number): ('begins' | 'ends')[] {
    const length = (this.rate * frameMs) / 1000
    const all = new Int16Array(this.rest.length + samples.length)
    all.set(this.rest)
    all.set(samples, this.rest.length)
    const changes: ('begins' | 'ends')[] = []
    let start = 0
    for (; start + length <= all.length; start += length) {
      const change = this.frame(all.subarray(start, start + length), silenceMs)
      if (change) changes.push(change)
    }
    this.rest = all.slice(start)
    return changes
  }

  private frame(frame: Int16Array, silenceMs: number): 'begins' | 'ends' | null {
    this.heardMs += frameMs
    const power = frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length
    const isLoud = Math.sqrt(power) >= this.threshold
    this.loudMs = isLoud ? this.loudMs + frameMs : 0
    this.quietMs = isLoud ? 0 : this.quietMs + frameMs
    if (!this.isSpeech && this.loudMs >= this.startMs) {
      this.isSpeech = true
      return 'begins'
    }
    if (this.isSpeech && this.quietMs >= silenceMs) {
      this.isSpeech = false
      return 'ends'
    }
    return null
  }
}
