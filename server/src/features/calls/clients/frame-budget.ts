/** Rate limit of one socket's frames. */

/** Frames that may come at once, and how many are added per second. */
const burst = 60
const perSecond = 20

/** A client with so many bad or excess frames is disconnected. */
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

  /** Counts one fault. @returns whether the limit is not reached yet */
  fault(): boolean {
    this.faults += 1
    return this.faults < maxFaults
  }
}
