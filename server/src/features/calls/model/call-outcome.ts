/** The status in which a call ends. */
import { appUserOfLeg } from './app-user.js'
import type { CallEnd } from './call-end.js'
import type { ConnectOutcome } from './outcomes.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { type DialFailure, ownStatus, refusalStatus } from '../../../adapters/freeswitch/hangup-causes.js'
import type { CallLeg } from './call-leg.entity.js'
import type { Call } from './call.entity.js'
import type { EndStatus } from './call-state.js'

const unanswered: Partial<Record<string, EndStatus>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  ORIGINATOR_CANCEL: 'canceled',
}

/** Status of an unanswered call. */
export function statusOfFailure({ hangupCause }: DialFailure): EndStatus {
  return unanswered[hangupCause] ?? 'failed'
}

/** Hang-up causes of calls that reached no destination. */
const causes: Readonly<Record<Exclude<ConnectOutcome, 'completed'>, string>> = {
  busy: 'USER_BUSY',
  no_answer: 'NO_ANSWER',
  failed: 'NORMAL_TEMPORARY_FAILURE',
  offline: 'SUBSCRIBER_ABSENT',
}

/**
 * The failure of a call that reached none of several destinations: it has no SIP status, as no single one's is that
 * of the call.
 */
export function failureOf(outcome: ConnectOutcome): DialFailure {
  return { hangupCause: causeOfOutcome(outcome) ?? 'NORMAL_CLEARING', sipCode: null }
}

/** Hang-up cause of a call whose last dial had this outcome; null for an outcome without one. */
export function causeOfOutcome(outcome: string): string | null {
  return (causes as Partial<Record<string, string>>)[outcome] ?? null
}

/** SIP status that an answered call ends with. */
export const answeredSipCode = 200

/** Whether a leg is a calling app's: it is up before the call is answered. */
export function isOfCallingApp(leg: CallLeg): boolean {
  return leg.role === 'caller' && appUserOfLeg(leg) !== null
}

/**
 * The end of a call whose caller never acknowledged our answer: it was never connected, whatever earlier events said.
 */
function unconnected({ hangupCause, endedAt }: ChannelEnd): CallEnd {
  return { status: 'canceled', hangupCause, sipCode: null, endedAt, isUnconnected: true }
}

/**
 * The end of a call of phones, when its caller's leg has ended.
 * @param answeredAt when it was answered, as far as is known
 */
export function endOfPhoneCall(answeredAt: Date | null, end: ChannelEnd): CallEnd {
  if (end.isUnacknowledged) return unconnected(end)
  const { hangupCause, endedAt } = end
  if (answeredAt) return { status: 'completed', hangupCause, sipCode: answeredSipCode, endedAt }
  return {
    ...{ status: statusOfFailure(end), hangupCause, endedAt },
    sipCode: end.sipCode ?? refusalStatus(hangupCause),
  }
}

/**
 * Seconds from the answer to the end for histories, exports and usage, rounded to the nearest. Charges count every
 * begun second (`billedSeconds`).
 */
export function secondsOfTalk(answeredAt: Date | null, endedAt: Date): number {
  return answeredAt ? Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000)) : 0
}

/** The end of a call when its primary leg has ended. */
export function endOfCall({ answered_at }: Call, leg: CallLeg | undefined, end: ChannelEnd): CallEnd {
  if (end.isUnacknowledged) return unconnected(end)
  const isApps = leg !== undefined && isOfCallingApp(leg)
  const { endedAt } = end
  if (answered_at !== null || (!isApps && end.answeredAt !== null)) {
    return { status: 'completed', hangupCause: end.hangupCause, sipCode: answeredSipCode, endedAt }
  }
  // An app that leaves before the answer has given up.
  const hangupCause = isApps && end.hangupCause === 'NORMAL_CLEARING' ? 'ORIGINATOR_CANCEL' : end.hangupCause
  const sipCode = (isApps ? null : end.sipCode) ?? refusalStatus(hangupCause)
  return { status: statusOfFailure({ hangupCause, sipCode }), hangupCause, sipCode, endedAt }
}

/** Outcomes by the far end's SIP status. */
const bySipCode: Partial<Record<number, ConnectOutcome>> = {
  408: 'no_answer',
  480: 'no_answer',
  486: 'busy',
  600: 'busy',
  603: 'busy',
}

/**
 * Outcomes by the switch's cause, when the far end gave no status; the switch reports 487 for legs that it ended
 * itself.
 */
const byCause: Partial<Record<string, ConnectOutcome>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  SUBSCRIBER_ABSENT: 'offline',
}

/** The outcome of a failed dial, for the script. A declined call counts as busy. */
export function connectOutcomeOf({ hangupCause, sipCode }: DialFailure): ConnectOutcome {
  const outcome = sipCode === null || sipCode === ownStatus ? byCause[hangupCause] : bySipCode[sipCode]
  return outcome ?? 'failed'
}
