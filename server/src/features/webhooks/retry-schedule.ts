/** When a delivery that failed is tried again. */

/** In seconds. */
interface Settings {
  /** Pause before the first retry; each further one is three times as long. */
  first_retry: number
  /** No pause is longer. */
  longest_pause: number
  /** From the event, or from the resending, to the last attempt. */
  retry_for: number
}

const growth = 3
/** Pauses vary by this share, so that deliveries that failed together are not retried together. */
const jitter = 0.2

export class RetrySchedule {
  constructor(
    private readonly settings: Settings,
    private readonly random: () => number = Math.random,
  ) {}

  giveUpAt(begun: Date): Date {
    return new Date(begun.getTime() + this.settings.retry_for * 1000)
  }

  /**
   * The time of the next attempt after a failed one, or null when that was the last.
   * @param askedMs the server's Retry-After: the pause is no shorter, though never beyond the last attempt
   */
  next(failedAt: Date, row: { retries: number; give_up_at: Date }, askedMs = 0): Date | null {
    const { retries, give_up_at } = row
    if (failedAt >= give_up_at) return null
    const pause = Math.min(this.settings.first_retry * growth ** retries, this.settings.longest_pause)
    const spread = 1 - jitter + 2 * jitter * this.random()
    // Behind the time that is asked for, so that what was refused together does not come again together.
    const asked = askedMs * (1 + (jitter * this.random()) / 2)
    const at = failedAt.getTime() + Math.max(pause * spread * 1000, asked)
    return new Date(Math.min(at, give_up_at.getTime()))
  }
}
