/** The status in which a call ends. */
import type { DialFailure } from '../switch/hangup-causes.js'
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

/** SIP status that an answered call ends with. */
export const answeredSipCode = 200

const notConnected: Partial<Record<string, ConnectOutcome>> = {
  USER_BUSY: 'busy',
  CALL_REJECTED: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
}

/** What a program is told of somebody who was not reached; who declines is busy. */
export function connectOutcomeOf({ hangupCause }: DialFailure): ConnectOutcome {
  return notConnected[hangupCause] ?? 'failed'
}
