/** What Jackfield decided by until November 2026: how loud it is, against what there is all the time. */
import { levelOf } from '../../../server/dist/src/adapters/speech/level.js'

const [framesToBegin, beginWindow, framesToEnd, framesToGoOn] = [3, 4, 30, 2]
const [beginsAbove, endsAbove] = [10, 6]
const [quietestBegin, quietestEnd] = [-45, -50]
const [rise, riseInSpeech, fall] = [0.1, 0.02, 0.3]
const [lowestGround, highestGround] = [-70, -5]
const [steadyFrames, steadyDb] = [250, 6]

export class Loudness {
  private isSpeaking = false
  private quietFrames = 0
  private ground = -60
  private lately: boolean[] = []
  private loudInARow = 0
  private steady: number[] = []

  hear(frame: Int16Array): 'begins' | 'ends' | null {
    const level = levelOf(frame)
    const step = this.isSpeaking ? riseInSpeech : rise
    const next =
      level < this.ground ? this.ground + fall * (level - this.ground) : Math.min(level, this.ground + step)
    this.ground = Math.max(lowestGround, Math.min(highestGround, next))
    return this.isSpeaking ? this.inSpeech(level) : this.inQuiet(level)
  }

  private inQuiet(level: number): 'begins' | null {
    const isLoud = level > Math.max(this.ground + beginsAbove, quietestBegin)
    this.lately = [...this.lately, isLoud].slice(-beginWindow)
    if (!isLoud || this.lately.filter(Boolean).length < framesToBegin) return null
    this.isSpeaking = true
    this.quietFrames = this.loudInARow = 0
    this.lately = []
    this.steady = []
    return 'begins'
  }

  private inSpeech(level: number): 'ends' | null {
    this.steady.push(level)
    if (Math.max(...this.steady) - Math.min(...this.steady) > steadyDb) this.steady = []
    if (this.steady.length >= steadyFrames) {
      const mean = this.steady.reduce((sum, one) => sum + one, 0) / this.steady.length
      this.ground = Math.min(highestGround, mean)
    }
    const isLoud = level > Math.max(this.ground + endsAbove, quietestEnd)
    this.loudInARow = isLoud ? this.loudInARow + 1 : 0
    this.quietFrames = this.loudInARow >= framesToGoOn ? 0 : this.quietFrames + 1
    if (this.quietFrames < framesToEnd) return null
    this.isSpeaking = false
    return 'ends'
  }
}
