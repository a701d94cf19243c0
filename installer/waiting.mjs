/** Waiting with a deadline; nothing in the installer waits without one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './failure.mjs'

/**
 * Tries again and again until it succeeds.
 * @template T
 * @param {() => Promise<T>} attempt one try; throws when it is too early
 * @param {{deadlineMs: number, pauseMs?: number, what: string, giveUp?: () => string | undefined}} options
 *   `giveUp` may return a reason to stop trying at once (the process died)
 * @returns {Promise<T>}
 * @throws {Error} `<what> within <n> s: <last error>` when the deadline passes
 */
export async function until(attempt, { deadlineMs, pauseMs = 100, what, giveUp }) {
  const end = Date.now() + deadlineMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const reason = giveUp?.()
      if (reason) throw new Error(reason, { cause: error })
      if (Date.now() + pauseMs >= end) {
        throw new Error(
          `${what} did not happen within ${Math.round(deadlineMs / 1000)} s: ${messageOf(error)}`,
          { cause: error },
        )
      }
    }
    await sleep(pauseMs)
  }
}
