import type { Explanation } from './no-route.js'
import type { Termination } from './termination.js'

/** How and when a call ended. */
export interface CallEnd extends Termination {
  endedAt: Date
  /** Time on the timeline, not before the script's last event; `endedAt` by default. */
  notifiedAt?: Date
  /** The answer connected no party: undoes what was recorded for it. */
  isUnconnected?: true
  /** Why the call was rejected, for the timeline. */
  why?: Explanation | undefined
}

/**
 * Seconds from the answer to the end for histories, exports and usage, rounded to the nearest. Charges count every
 * begun second (`billedSeconds`).
 */
export function secondsOfTalk(answeredAt: Date | null, endedAt: Date): number {
  return answeredAt ? Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000)) : 0
}
