/** Failures of what is tried again and again. */
import type { Logger } from 'pino'

const repeatMs = 60_000

/**
 * Logs a failure when it begins, once a minute while it lasts, and when it is over: a dozen polls that each log every
 * second would push all else out of the logs in a night without the database.
 */
export class RateLimitedFailureLog {
  private since: number | undefined
  private notifiedAt = 0
  private times = 0

  /**
   * @param event of the line in the log; when it is over, it is `<event>_over`
   * @param what it is that fails, as the message of the log
   * @param fields of each line
   */
  constructor(
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    private readonly event: string,
    private readonly what: string,
    private readonly fields: object = {},
  ) {}

  failed(error: unknown): void {
    const now = performance.now()
    this.since ??= now
    this.times += 1
    if (this.times > 1 && now - this.notifiedAt < repeatMs) return
    this.notifiedAt = now
    this.log.warn({ event: this.event, err: error, ...this.fields, times: this.times }, this.what)
  }

  succeeded(): void {
    if (this.since === undefined) return
    const seconds = Math.round((performance.now() - this.since) / 1000)
    this.log.info(
      { event: `${this.event}_over`, ...this.fields, times: this.times, seconds },
      `${this.what}: over`,
    )
    this.since = undefined
    this.times = 0
  }
}
