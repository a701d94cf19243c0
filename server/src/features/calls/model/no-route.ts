/** Why a call, or a further leg, is not made: a code for programs, and a sentence for the timeline. */

/** The sentences must not reveal anything about other workspaces. */
const sentences = {
  no_number: 'The workspace has no number that may call out',
  number_unverified: 'The number is not verified, and may not be shown to others',
  no_gateway: 'The number has no gateway to call out over',
  no_emergency_gateway: 'The workspace has no gateway that takes an emergency call',
  gateway_pending: 'The gateway waits for the operator’s approval',
  gateway_unreachable: 'The gateway leads to no address that may be called',
  uri_not_allowed: 'The SIP URI leads to no address that this workspace may call',
  country_not_allowed: 'The workspace may not call this country',
  premium_not_allowed: 'The workspace may not call numbers that cost their callers more',
  rate_blocked: 'The rates of the workspace block this prefix',
  no_credit: 'The workspace has no credit left for the call',
  spend_limit: 'The workspace has reached a limit of spending',
  gone: 'The called party no longer exists',
} as const

export type NoRouteReason = keyof typeof sentences

/** As shown on the timeline. */
export interface Explanation {
  reason: NoRouteReason
  problem?: string | undefined
}

/** There is no route. */
export class NoRoute {
  constructor(readonly reason: NoRouteReason) {}

  get explanation(): Explanation {
    return explained(this.reason)
  }
}

export function explained(reason: NoRouteReason): Explanation {
  return { reason, problem: sentences[reason] }
}
