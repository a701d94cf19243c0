/** How jobs that send mails to agents are worked on. */

const firstRetryMs = 2_000

/** @param longestPauseMs between two tries, which double from two seconds on */
export function mailJobs(longestPauseMs: number) {
  return {
    ...{ concurrency: 5, turns: { ofOwner: 2 }, leaseMs: 10_000, renewed: true },
    retryMs: (attempts: number) => Math.min(firstRetryMs * 2 ** attempts, longestPauseMs),
  }
}
