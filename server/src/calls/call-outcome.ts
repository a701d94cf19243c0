/** The status in which a call ends. */
import { type DialFailure, ownStatus } from '../switch/hangup-causes.js'
import type { ConnectOutcome } from './actions/action.js'
import type { CallStatus } from './call.entity.js'

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

/** Why a call ends when none of several could be reached. */
const causes: Readonly<Record<ConnectOutcome, string>> = {
  completed: 'NORMAL_CLEARING',
  busy: 'USER_BUSY',
  no_answer: 'NO_ANSWER',
  failed: 'NORMAL_TEMPORARY_FAILURE',
  offline: 'SUBSCRIBER_ABSENT',
}

/** Of several none of whom was reached: no single one's SIP status is that of the call. */
export function failureOf(outcome: ConnectOutcome): DialFailure {
  return { hangupCause: causes[outcome], sipCode: null }
}

/** SIP status that an answered call ends with. */
export const answeredSipCode = 200

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
