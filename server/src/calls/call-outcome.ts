/** The status in which a call ends. */
import type { ChannelEnd } from '../switch/channel-end.js'
import { type DialFailure, ownStatus, refusalStatus } from '../switch/hangup-causes.js'
import type { ConnectOutcome } from './actions/action.js'
import { personOfLeg } from './apps/ring.js'
import type { CallLeg } from './call-leg.entity.js'
import type { CallEnd } from './call-store.js'
import type { Call, CallStatus } from './call.entity.js'

const unanswered: Partial<Record<string, CallStatus>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  ORIGINATOR_CANCEL: 'canceled',
}

/** Status of a call that nobody answered. */
export function statusOfFailure({ hangupCause }: DialFailure): CallStatus {
  return unanswered[hangupCause] ?? 'failed'
}

/** Why a call ends that reached nobody. */
const causes: Readonly<Record<Exclude<ConnectOutcome, 'completed'>, string>> = {
  busy: 'USER_BUSY',
  no_answer: 'NO_ANSWER',
  failed: 'NORMAL_TEMPORARY_FAILURE',
  offline: 'SUBSCRIBER_ABSENT',
}

/** Of several none of whom was reached: no single one's SIP status is that of the call. */
export function failureOf(outcome: ConnectOutcome): DialFailure {
  return { hangupCause: causeOfOutcome(outcome) ?? 'NORMAL_CLEARING', sipCode: null }
}

/** With which cause a call ends whose last attempt to reach somebody came to this; null when that says nothing. */
export function causeOfOutcome(outcome: string): string | null {
  return (causes as Partial<Record<string, string>>)[outcome] ?? null
}

/** SIP status that an answered call ends with. */
export const answeredSipCode = 200

/** Whether a leg is that of an app that calls: it is up before anybody has answered the call. */
export function isOfCallingApp(leg: CallLeg): boolean {
  return leg.role === 'caller' && personOfLeg(leg) !== null
}

/** How a call ends whose caller never acknowledged our answer: nobody was connected, whatever was told before. */
function unconnected({ hangupCause, endedAt }: ChannelEnd): CallEnd {
  return { status: 'canceled', hangupCause, sipCode: null, endedAt, isUnconnected: true }
}

/** How a call of phones ends, with its caller. @param answeredAt when somebody answered it, as far as is known */
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
 * Seconds from the answer to the end as histories, exports and usage have them, rounded to the nearest. What is charged
 * counts every begun second (`billedSeconds`).
 */
export function secondsOfTalk(answeredAt: Date | null, endedAt: Date): number {
  return answeredAt ? Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000)) : 0
}

/** How a call ends with the leg that its program ran on. */
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

/** What the far end says. */
const bySipCode: Partial<Record<number, ConnectOutcome>> = {
  408: 'no_answer',
  480: 'no_answer',
  486: 'busy',
  600: 'busy',
  603: 'busy',
}

/** What the switch says where the far end said nothing; it reports 487 for legs that it ended itself. */
const byCause: Partial<Record<string, ConnectOutcome>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  SUBSCRIBER_ABSENT: 'offline',
}

/** What a program is told of somebody who was not reached; who declines is busy. */
export function connectOutcomeOf({ hangupCause, sipCode }: DialFailure): ConnectOutcome {
  const told = sipCode === null || sipCode === ownStatus ? byCause[hangupCause] : bySipCode[sipCode]
  return told ?? 'failed'
}
