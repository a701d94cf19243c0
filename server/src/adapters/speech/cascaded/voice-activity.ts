/** Detects when somebody speaks, from the speech probability of frames of 20 ms. */
import { leastThreshold } from '../turn-detection.js'

/** Speech begins when this many of the last frames are speech: within 60 to 80 ms, and not with a single chunk. */
const framesToBegin = 3
const beginWindow = 4

/** Speech in a row after which a pause is over. */
const framesToGoOn = 2

/** How much lower the threshold is while somebody speaks (hysteresis). */
const goesOnBelow = 0.15

export class VoiceActivity {
  /** Frames of speech since it began. */
  voicedFrames = 0
  /** Frames without speech since the last ones. */
  quietFrames = 0
  private hasBegun = false
  /** Whether each of the last frames was speech, as bits. */
  private lately = 0
  private inARow = 0

  /** @param threshold the probability, from 0 to 1, from which on it is speech */
  constructor(private readonly threshold: number) {}

  /** @returns whether speech has begun, or gone on after a pause, with this frame */
  hear(probability: number): boolean {
    return this.hasBegun ? this.goesOn(probability) : this.begins(probability)
  }

  /** The utterance is over: speech may begin again. */
  end(): void {
    this.hasBegun = false
    this.lately = this.inARow = 0
  }

  /** Starts a new part: earlier frames do not count any more. */
  restart(): void {
    this.voicedFrames = 0
  }

  private begins(probability: number): boolean {
    const isSpeech = probability >= this.threshold
    this.lately = ((this.lately << 1) | Number(isSpeech)) & (2 ** beginWindow - 1)
    const voiced = countOnes(this.lately)
    if (!isSpeech || voiced < framesToBegin) return false
    this.hasBegun = true
    this.voicedFrames = voiced
    this.quietFrames = this.lately = this.inARow = 0
    return true
  }

  private goesOn(probability: number): boolean {
    const isSpeech = probability >= Math.max(leastThreshold, this.threshold - goesOnBelow)
    this.inARow = isSpeech ? this.inARow + 1 : 0
    if (isSpeech) this.voicedFrames += 1
    if (this.inARow < framesToGoOn) {
      this.quietFrames += 1
      return false
    }
    const wasQuiet = this.quietFrames > framesToGoOn
    this.quietFrames = 0
    return wasQuiet
  }
}

function countOnes(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1
  return count
}
