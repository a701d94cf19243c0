/** Limits submissions per second: a token bucket that holds a tenth of a second. */
export class Throughput {
  private tokens = 1
  private at = performance.now()

  constructor(private readonly perSecond: number) {}

  /** Takes a token, if there is one. @returns 0, or the milliseconds until there is one */
  take(): number {
    const now = performance.now()
    const most = Math.max(1, this.perSecond / 10)
    this.tokens = Math.min(most, this.tokens + ((now - this.at) * this.perSecond) / 1000)
    this.at = now
    if (this.tokens < 1) return ((1 - this.tokens) * 1000) / this.perSecond
    this.tokens -= 1
    return 0
  }
}
