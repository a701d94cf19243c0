/** Milliseconds that do not count pauses in reading: no answer can be late in them. */
export class ReadingClock {
  private stoppedAt: number | undefined
  private stoodMs = 0

  get runs(): boolean {
    return this.stoppedAt === undefined
  }

  now(): number {
    return (this.stoppedAt ?? performance.now()) - this.stoodMs
  }

  stop(): void {
    this.stoppedAt ??= performance.now()
  }

  start(): void {
    this.stoodMs += performance.now() - (this.stoppedAt ?? performance.now())
    this.stoppedAt = undefined
  }
}
