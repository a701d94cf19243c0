/** Decides what happens to a message that a carrier has not taken. */
import type { RefusalKind } from '../../../adapters/sms/link.js'
import { type Carried, type Route, routesAfter } from './routes.js'
import type { Refused } from './outcome.js'

export type Decision =
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly optedOut?: boolean }
  | { readonly kind: 'again'; readonly carrierId: string; readonly dueAt: Date; readonly attempts: number }

/** Attempts at a carrier that cannot take the message now, before the next carrier is tried. */
const triesAtOne = 3

/** A lost bind is not the message's fault: it is submitted again at once this many times. */
const unansweredAtOnce = 2

const longestPauseMs = 300_000

/** A carrier that throttles takes messages again soon, and its runner gives it pauses. */
const longestThrottledPauseMs = 10_000

/** A carrier that asks for a longer pause than this has its messages taken to the next one at once. */
const longWaitMs = 10_000

/** The error of a message that no carrier took in time. */
export const expired = {
  kind: 'failed',
  code: 'expired',
  message: 'No carrier took the message in time',
} as const

/** @param routes the carriers of its number, in their order */
export function decide(
  { message, error, isPartly }: Refused,
  carrierId: string,
  routes: readonly Route[],
  carried: Carried,
): Decision {
  const now = new Date()
  const failed: Decision = { kind: 'failed', code: error.code, message: error.message }
  if (error.kind === 'permanent') return failed
  if (error.kind === 'opted_out') return { ...failed, optedOut: true }
  const attempts = message.attempts + 1
  const { later, earlier } = routesAfter(routes, carrierId, carried)
  // The rest of a message goes to the carrier that has its first segments: handsets only join segments of the same form.
  const moveTo = (route: Route | undefined, dueAt: Date): Decision | null =>
    route && !isPartly ? { kind: 'again', carrierId: route.carrierId, dueAt, attempts } : null
  if (error.kind === 'carrier') {
    // A carrier before this one may have been passed over while it was down.
    const passedOver = attempts < routes.length ? preferred(earlier) : undefined
    return moveTo(preferred(later) ?? passedOver, now) ?? failed
  }
  if (message.giveUpAt <= now) return expired
  const dueAt = new Date(now.getTime() + (error.retryAfterMs ?? pauseAfter(error.kind, attempts)))
  const isLong =
    (error.kind === 'throttled' || error.kind === 'destination') && (error.retryAfterMs ?? 0) > longWaitMs
  const moved =
    isLong || attempts % triesAtOne === 0
      ? (moveTo(preferred(later), now) ?? moveTo(preferred(earlier), dueAt))
      : null
  return moved ?? { kind: 'again', carrierId, dueAt, attempts }
}

/** The first whose link is up, or the first. */
export function preferred(routes: readonly Route[]): Route | undefined {
  return routes.find(({ isUp }) => isUp) ?? routes[0]
}

function pauseAfter(kind: RefusalKind, attempts: number): number {
  if (kind === 'throttled') return Math.min(longestThrottledPauseMs, pauseBefore(attempts))
  return pauseBefore(kind === 'unanswered' ? attempts - unansweredAtOnce : attempts)
}

/** Before the first try again 1 s, then twice as long each time. */
function pauseBefore(attempt: number): number {
  return attempt <= 0 ? 0 : Math.min(longestPauseMs, 1_000 * 2 ** (attempt - 1))
}
