/** Hang-up causes: FreeSWITCH's names for those of ITU-T Q.850, and its own. */

/** Causes that a caller of the API may hang up with. */
export const hangupCauses = [
  'NORMAL_CLEARING',
  'USER_BUSY',
  'NO_USER_RESPONSE',
  'NO_ANSWER',
  'SUBSCRIBER_ABSENT',
  'CALL_REJECTED',
  'NUMBER_CHANGED',
  'DESTINATION_OUT_OF_ORDER',
  'INVALID_NUMBER_FORMAT',
  'UNALLOCATED_NUMBER',
  'NO_ROUTE_DESTINATION',
  'NORMAL_UNSPECIFIED',
  'NORMAL_CIRCUIT_CONGESTION',
  'NETWORK_OUT_OF_ORDER',
  'NORMAL_TEMPORARY_FAILURE',
  'SWITCH_CONGESTION',
  'OUTGOING_CALL_BARRED',
  'INCOMING_CALL_BARRED',
  'BEARERCAPABILITY_NOTAVAIL',
  'SERVICE_UNAVAILABLE',
  'RECOVERY_ON_TIMER_EXPIRE',
  'INTERWORKING',
] as const

/** How an attempt to reach somebody failed. */
export interface DialFailure {
  hangupCause: string
  /** The SIP status that refused it, or null when none came. */
  sipCode: number | null
}

/**
 * Somebody has spoken for the called party: another way to it would ring the same telephone. So has every 6xx, of which
 * there are more than RFC 3261 knew (607, 608).
 */
const finalStatuses = new Set([404, 410, 480, 484, 486, 488])
const finalCauses = new Set([
  'USER_BUSY',
  'CALL_REJECTED',
  'UNALLOCATED_NUMBER',
  'NUMBER_CHANGED',
  'NO_ANSWER',
  'NO_USER_RESPONSE',
  'ORIGINATOR_CANCEL',
  'INVALID_NUMBER_FORMAT',
  'INCOMPATIBLE_DESTINATION',
  'ALLOTTED_TIMEOUT',
])

/**
 * The switch reports this status for legs that it ended itself: after the ring time, by a command, or
 * because it had no credentials to answer a challenge with. It proves nothing about the carrier.
 */
export const ownStatus = 487

/** Whether a failure ends the hunt, rather than going on to the gateway's next address. */
export function isFinal({ hangupCause, sipCode }: DialFailure): boolean {
  const spoken = sipCode !== null && sipCode !== ownStatus
  return spoken ? finalStatuses.has(sipCode) || sipCode >= 600 : finalCauses.has(hangupCause)
}

/** The SIP status with which the switch refuses a call that it ends for a cause (mod_sofia.c, hangup_cause_to_sip). */
const statuses: Partial<Record<string, number>> = {
  UNALLOCATED_NUMBER: 404,
  NO_ROUTE_DESTINATION: 404,
  USER_BUSY: 486,
  NO_USER_RESPONSE: 408,
  CALL_REJECTED: 603,
  NUMBER_CHANGED: 410,
  DESTINATION_OUT_OF_ORDER: 502,
  INVALID_NUMBER_FORMAT: 484,
  NORMAL_CIRCUIT_CONGESTION: 503,
  NETWORK_OUT_OF_ORDER: 503,
  NORMAL_TEMPORARY_FAILURE: 503,
  SWITCH_CONGESTION: 503,
  OUTGOING_CALL_BARRED: 403,
  INCOMING_CALL_BARRED: 403,
  BEARERCAPABILITY_NOTAVAIL: 503,
  INCOMPATIBLE_DESTINATION: 488,
  RECOVERY_ON_TIMER_EXPIRE: 504,
  ORIGINATOR_CANCEL: 487,
}

/** The SIP status with which an unanswered incoming call was refused. */
export function refusalStatus(hangupCause: string): number {
  return statuses[hangupCause] ?? 480
}
