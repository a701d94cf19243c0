/** How much one socket may ask of us. */

/** Frames that may come at once, and how many a second come to be allowed again. */
const burst = 60
const perSecond = 20

/** Who sends so many bad frames, or frames beyond its rate, does not mean to speak with us. */
const maxFaults = 100

export class FrameBudget {
  private left = burst
  private countedAt = performance.now()
  private faults = 0

  /** Counts one frame. @returns whether it may be taken */
  take(): boolean {
    const now = performance.now()
    this.left = Math.min(burst, this.left + ((now - this.countedAt) / 1000) * perSecond)
    this.countedAt = now
    if (this.left < 1) return false
    this.left -= 1
    return true
  }

  /** Counts one fault. @returns whether that is still borne with */
  fault(): boolean {
    this.faults += 1
    return this.faults < maxFaults
  }
}
