/** How jobs that send mails to agents are worked on. */
import type { Job } from '../database/outbox.js'
import { MailError } from './mailer.js'

const firstRetryMs = 2_000

/** @param longestPauseMs between two tries, which double from two seconds on */
export function mailJobs(longestPauseMs: number) {
  return {
    ...{ concurrency: 5, turns: { ofOwner: 2 }, leaseMs: 10_000, renewed: true },
    retryMs: (attempts: number) => Math.min(firstRetryMs * 2 ** attempts, longestPauseMs),
  }
}

/**
 * Whether a mail that was not sent is not tried again: the server has refused it for good, or its time is over.
 * @param longestMs from the job's creation
 */
export function isMailGivenUp(error: unknown, { created_at }: Pick<Job, 'created_at'>, longestMs: number) {
  const isLate = Date.now() - created_at.getTime() > longestMs
  return isLate || (error instanceof MailError && error.isFinal)
}
