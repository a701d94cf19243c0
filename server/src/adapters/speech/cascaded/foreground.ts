/**
 * Distinguishes a caller's speech from speech behind them: a television, other people in the room. A model takes all of
 * it for speech; the difference is that the caller holds the telephone, and is louder.
 */
import { levelOf } from '../level.js'

/** The loudest of this many frames counts: 400 ms, so that a soft syllable does not count as background. */
const windowFrames = 20

/** Below the caller, in dB: speech that stays that much quieter for `lowFrames` is background. */
const belowCaller = 9
const lowFrames = 45

/** While the voice agent talks, speech that is that much quieter does not interrupt it. */
const belowInterruption = 12

/** Frames of a caller's speech until it is known how loud they are: half a second. */
const framesToKnow = 25

/** How fast the level rises, as a share of the difference, and how fast it falls, in dB a frame. */
const [rise, fall] = [0.3, 0.005]

/** Silence after which the background has ended: one second. */
const forgottenAfter = 50

export class Foreground {
  private readonly levels: number[] = []
  /** The caller's level, dBFS. */
  private caller = -Infinity
  private known = 0
  private low = 0
  private silent = 0
  private isBehind = false

  /**
   * What comes next, 20 ms of it.
   * @param isSpeech somebody speaks
   * @param isTurn it is known to be the caller's turn
   * @param isPlaying the voice agent talks
   * @returns whether it is background
   */
  isBackground(frame: Int16Array, isSpeech: boolean, isTurn: boolean, isPlaying: boolean): boolean {
    this.levels.push(levelOf(frame))
    this.levels.splice(0, this.levels.length - windowFrames)
    const loudest = Math.max(...this.levels)
    if (isSpeech && isTurn && !this.isBehind) this.learn(loudest)
    if (this.known < framesToKnow) return false
    this.follow(loudest > this.caller - belowCaller, isSpeech)
    return this.isBehind || (isPlaying && loudest < this.caller - belowInterruption)
  }

  private learn(level: number): void {
    this.known += 1
    if (this.known === 1) this.caller = level
    else if (level > this.caller) this.caller += rise * (level - this.caller)
    else this.caller -= fall
  }

  private follow(isLoud: boolean, isSpeech: boolean): void {
    this.silent = isSpeech ? 0 : this.silent + 1
    if (isLoud || this.silent > forgottenAfter) {
      this.low = 0
      this.isBehind = false
    } else if (isSpeech) this.low += 1
    if (this.low >= lowFrames) this.isBehind = true
  }
}
