/**
 * Tells when somebody speaks, by how loud it is against what there is all the time: frames of 20 ms in, and out of it
 * that speech begins and that it ends. It knows no sound from another: noise that comes suddenly is speech for as long
 * as `steadyFrames`, and then, as it does not vary, the ground that speech is measured against.
 */
import { levelOf } from './level.js'

/** Speech begins when so many of the last frames are loud: within 60 to 80 ms, and not with a click. */
const framesToBegin = 3
const beginWindow = 4

/** It ends after 600 ms of quiet: a pause within a sentence is mostly shorter. */
export const framesToEnd = 30

/** Loud frames in a row that are no click in the quiet. */
const framesToGoOn = 2

/** Above the ground: where speech begins, and where it is thought to be over (hysteresis). */
const [beginsAbove, endsAbove] = [10, 6]

/** Nothing below is speech, however quiet the rest: dBFS. Quiet talkers are at -40, comfort noise is at -55. */
const [quietestBegin, quietestEnd] = [-45, -50]

/** How fast the ground rises, in dB a frame, while nobody speaks and while somebody does; and how fast it falls. */
const [rise, riseInSpeech, fall] = [0.1, 0.02, 0.3]
const [lowestGround, highestGround] = [-70, -5]

/** Five seconds that vary by less than `steadyDb` are a noise: speech varies by 20 dB and more. */
const steadyFrames = 250
const steadyDb = 6

export type VoiceEvent = 'begins' | 'ends'

export class VoiceActivity {
  isSpeaking = false
  /** How many frames of the speech under way, or of the last one, were loud. */
  voicedFrames = 0
  /** Quiet frames since the last loud ones. */
  private quietFrames = 0
  private ground = -60
  /** Whether each of the last frames was loud, as bits. */
  private lately = 0
  private loudInARow = 0
  private steady = noFrames()

  /** What comes next: 20 ms of it, at any rate. */
  hear(frame: Int16Array): VoiceEvent | null {
    const level = levelOf(frame)
    this.followGround(level)
    return this.isSpeaking ? this.inSpeech(level) : this.inQuiet(level)
  }

  private inQuiet(level: number): VoiceEvent | null {
    const isLoud = level > Math.max(this.ground + beginsAbove, quietestBegin)
    this.lately = ((this.lately << 1) | Number(isLoud)) & (2 ** beginWindow - 1)
    const loud = countOnes(this.lately)
    if (!isLoud || loud < framesToBegin) return null
    this.isSpeaking = true
    this.voicedFrames = loud
    this.quietFrames = this.loudInARow = this.lately = 0
    this.forgetSteady()
    return 'begins'
  }

  private inSpeech(level: number): VoiceEvent | null {
    if (this.isSteady(level)) this.ground = Math.min(highestGround, this.steady.sum / this.steady.frames)
    const isLoud = level > Math.max(this.ground + endsAbove, quietestEnd)
    this.loudInARow = isLoud ? this.loudInARow + 1 : 0
    if (isLoud) this.voicedFrames += 1
    if (this.loudInARow >= framesToGoOn) this.quietFrames = 0
    else this.quietFrames += 1
    if (this.quietFrames < framesToEnd) return null
    this.isSpeaking = false
    return 'ends'
  }

  private followGround(level: number): void {
    const step = this.isSpeaking ? riseInSpeech : rise
    const next =
      level < this.ground ? this.ground + fall * (level - this.ground) : Math.min(level, this.ground + step)
    this.ground = Math.max(lowestGround, Math.min(highestGround, next))
  }

  private isSteady(level: number): boolean {
    const { steady } = this
    steady.frames += 1
    steady.sum += level
    steady.lowest = Math.min(steady.lowest, level)
    steady.highest = Math.max(steady.highest, level)
    if (steady.highest - steady.lowest > steadyDb) this.forgetSteady()
    return steady.frames >= steadyFrames
  }

  private forgetSteady(): void {
    this.steady = noFrames()
  }
}

function noFrames() {
  return { frames: 0, sum: 0, lowest: Infinity, highest: -Infinity }
}

function countOnes(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1
  return count
}
