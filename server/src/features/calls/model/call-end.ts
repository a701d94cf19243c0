import type { EndStatus } from './call-state.js'
import type { Explanation } from '../routing/no-route.js'

/** How a call ended. */
export interface CallEnd {
  status: EndStatus
  hangupCause: string
  sipCode: number | null
  endedAt: Date
  /** Time on the timeline, not before the script's last event; `endedAt` by default. */
  notifiedAt?: Date
  /** The answer connected no party: undoes what was recorded for it. */
  isUnconnected?: true
  /** Why the call was rejected, for the timeline. */
  why?: Explanation | undefined
}
