/**
 * How a call, or an attempt to reach somebody, ends: the one vocabulary of the API, events, metrics, spans, scripts and
 * client apps. Causes are those of the switch (hangup-causes.ts).
 */
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import {
  type DialFailure,
  isFinal,
  ownStatus,
  refusalStatus,
} from '../../../adapters/freeswitch/hangup-causes.js'
import { appUserOfLeg, isOfCallingApp } from './app-user.js'
import type { CallLeg } from './call-leg.entity.js'
import type { EndStatus } from './call-state.js'
import type { EndedBy } from './ended-by.js'
import type { Call } from './call.entity.js'
import type { ConnectOutcome } from './outcomes.js'

export interface Termination extends DialFailure {
  readonly status: EndStatus
  readonly endedBy: EndedBy
}

/** Failures that are decided here, rather than reported by the switch. */
export const failures = {
  /** The agent has a call, or takes none: none of their devices rings. */
  agentBusy: { hangupCause: 'USER_BUSY', sipCode: 486 },
  offline: { hangupCause: 'SUBSCRIBER_ABSENT', sipCode: null },
  noAnswer: { hangupCause: 'NO_ANSWER', sipCode: null },
  /** A phone forwards to where calls may not go: counts as no answer. */
  forwardedAway: { hangupCause: 'NO_ANSWER', sipCode: 480 },
  canceled: { hangupCause: 'ORIGINATOR_CANCEL', sipCode: null },
  /** Another leg has answered: a phone with this cause shows no missed call. */
  answeredElsewhere: { hangupCause: 'LOSE_RACE', sipCode: null },
  noRoute: { hangupCause: 'NO_ROUTE_DESTINATION', sipCode: null },
  /** The call waited too long for the switch. */
  notPlaced: { hangupCause: 'NETWORK_OUT_OF_ORDER', sipCode: null },
  /** An error in this process. */
  internal: { hangupCause: 'NORMAL_TEMPORARY_FAILURE', sipCode: null },
} as const satisfies Record<string, DialFailure>

/** Hangup causes with which incoming calls are rejected, by reason. The switch derives the SIP status from them. */
export const refusalCauses = {
  tooManyAtOnce: 'USER_BUSY',
  tooManyPerSecond: 'SWITCH_CONGESTION',
  incomingBarred: 'INCOMING_CALL_BARRED',
  outgoingBarred: 'OUTGOING_CALL_BARRED',
  unverifiedCaller: 'CALL_REJECTED',
  noSuchNumber: 'UNALLOCATED_NUMBER',
  notInService: 'SUBSCRIBER_ABSENT',
  noGateway: 'NORMAL_TEMPORARY_FAILURE',
  internal: 'NORMAL_TEMPORARY_FAILURE',
} as const

/** Cause of a call whose parties continue in another call, whichever leaves first. */
export const transferCause = 'ATTENDED_TRANSFER'

const statuses: Partial<Record<string, EndStatus>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  ORIGINATOR_CANCEL: 'canceled',
}

/** SIP status that an answered call ends with. */
const answeredSipCode = 200

export function completed(hangupCause: string, endedBy: EndedBy): Termination {
  return { status: 'completed', hangupCause, sipCode: answeredSipCode, endedBy }
}

/** A call that was given up before its answer. */
export function canceled(endedBy: EndedBy): Termination {
  return { ...failures.canceled, status: 'canceled', endedBy }
}

/** A call whose destination did not answer. */
export function unanswered({ hangupCause, sipCode }: DialFailure): Termination {
  return {
    hangupCause,
    sipCode,
    status: statuses[hangupCause] ?? 'failed',
    endedBy: refuserOf({ hangupCause, sipCode }),
  }
}

/** An incoming call that was rejected. @param sipCode the SIP answer [the one that the switch gives for the cause] */
export function rejected(hangupCause: string, sipCode = refusalStatus(hangupCause)): Termination {
  return { ...unanswered({ hangupCause, sipCode }), endedBy: 'server' }
}

/** A call whose caller never acknowledged our answer: it was never connected, although earlier events say so. */
function unconnected({ hangupCause }: ChannelEnd) {
  return { status: 'canceled', hangupCause, sipCode: null, endedBy: 'caller', isUnconnected: true } as const
}

/** The end of a call when its primary leg has ended. */
export function endOfCall({ answered_at }: Call, leg: CallLeg | undefined, end: ChannelEnd) {
  const { endedAt } = end
  if (end.isUnacknowledged) return { ...unconnected(end), endedAt }
  const isApps = leg !== undefined && isOfCallingApp(leg)
  if (answered_at !== null || (!isApps && end.answeredAt !== null))
    return { ...completed(end.hangupCause, partyAt(leg, end)), endedAt }
  // An app that leaves before the answer has given up.
  const hangupCause =
    isApps && end.hangupCause === 'NORMAL_CLEARING' ? failures.canceled.hangupCause : end.hangupCause
  const sipCode = (isApps ? null : end.sipCode) ?? refusalStatus(hangupCause)
  return { ...unanswered({ hangupCause, sipCode }), endedBy: giverUpOf(leg, end, hangupCause), endedAt }
}

/**
 * The end of a call that the switch bridged, when its caller's leg has ended.
 * @param answeredAt when it was answered, as far as is known
 * @param far how the far leg ended, as far as is known
 */
export function endOfBridgedCall(answeredAt: Date | null, end: ChannelEnd, far?: ChannelEnd) {
  const { hangupCause, endedAt } = end
  if (end.isUnacknowledged) return { ...unconnected(end), endedAt }
  const { isByPeer } = end
  if (answeredAt) {
    const other = far?.isByPeer ? 'callee' : isByPeer === undefined ? 'unknown' : 'server'
    return { ...completed(hangupCause, isByPeer ? 'caller' : other), endedAt }
  }
  const sipCode = end.sipCode ?? refusalStatus(hangupCause)
  const endedBy = isByPeer ? 'caller' : far ? refuserOf(far) : 'server'
  return { ...unanswered({ hangupCause, sipCode }), endedBy, endedAt }
}

/** Who ended an answered call by hanging up this leg. */
function partyAt(leg: CallLeg | undefined, { isByPeer }: ChannelEnd): EndedBy {
  if (!leg || isByPeer === undefined) return 'unknown'
  if (isByPeer) return leg.role === 'caller' ? 'caller' : 'callee'
  // The server hangs up for an app.
  return appUserOfLeg(leg) === null ? 'server' : 'unknown'
}

/** Who ended a call that was not answered. */
function giverUpOf(leg: CallLeg | undefined, end: ChannelEnd, hangupCause: string): EndedBy {
  if (leg?.role !== 'caller') return refuserOf({ hangupCause, sipCode: end.sipCode })
  return end.isByPeer || hangupCause === failures.canceled.hangupCause ? 'caller' : 'server'
}

/** Who kept a dial from its answer. */
function refuserOf({ hangupCause, sipCode }: DialFailure): EndedBy {
  if (hangupCause === failures.canceled.hangupCause) return 'caller'
  if (sipCode === null || sipCode === ownStatus) return 'server'
  return isFinal({ hangupCause, sipCode }) ? 'callee' : 'carrier'
}

/** Hangup causes of calls whose script reached no destination. */
const causesOfOutcomes: Readonly<Record<Exclude<ConnectOutcome, 'completed'>, string>> = {
  busy: 'USER_BUSY',
  no_answer: 'NO_ANSWER',
  failed: 'NORMAL_TEMPORARY_FAILURE',
  offline: 'SUBSCRIBER_ABSENT',
}

/** Hangup cause of a call whose last dial had this outcome; null for an outcome without one. */
export function causeOfOutcome(outcome: string): string | null {
  return (causesOfOutcomes as Partial<Record<string, string>>)[outcome] ?? null
}

/**
 * The failure of a call that reached none of several destinations: it has no SIP status, as no single one's is that
 * of the call.
 */
export function failureOf(outcome: ConnectOutcome): DialFailure {
  return { hangupCause: causeOfOutcome(outcome) ?? 'NORMAL_CLEARING', sipCode: null }
}

/** Outcomes by the far end's SIP status. */
const outcomesBySipCode: Partial<Record<number, ConnectOutcome>> = {
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
const outcomesByCause: Partial<Record<string, ConnectOutcome>> = {
  USER_BUSY: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ALLOTTED_TIMEOUT: 'no_answer',
  PROGRESS_TIMEOUT: 'no_answer',
  SUBSCRIBER_ABSENT: 'offline',
}

/** The outcome of a failed dial, for the script. A declined call counts as busy. */
export function connectOutcomeOf({ hangupCause, sipCode }: DialFailure): ConnectOutcome {
  const isOwn = sipCode === null || sipCode === ownStatus
  return (isOwn ? outcomesByCause[hangupCause] : outcomesBySipCode[sipCode]) ?? 'failed'
}

/** Why an app's part in a call has ended. */
export type ClientLegEnd =
  /** Somebody hung up the answered call. */
  | 'hangup'
  /** Another device, or another user, has answered. */
  | 'answered_elsewhere'
  /** The user has rejected the call, here or on another device. */
  | 'rejected'
  | 'caller_hangup'
  /** No answer in time. */
  | 'timeout'
  /** Another socket of the same app has taken over the leg. */
  | 'replaced'
  /** The user has transferred the call. */
  | 'transferred'
  | 'failed'

const causesOfClientEnds: Partial<Record<ClientLegEnd, string>> = {
  answered_elsewhere: 'LOSE_RACE',
  rejected: 'CALL_REJECTED',
  caller_hangup: 'ORIGINATOR_CANCEL',
  timeout: 'NO_ANSWER',
  failed: 'NORMAL_TEMPORARY_FAILURE',
}

/** Hangup cause of a client leg that is released for this reason. */
export function causeOfClientEnd(reason: ClientLegEnd): string {
  return causesOfClientEnds[reason] ?? 'NORMAL_CLEARING'
}

const clientEnds: Partial<Record<string, ClientLegEnd>> = {
  LOSE_RACE: 'answered_elsewhere',
  ORIGINATOR_CANCEL: 'caller_hangup',
  NO_ANSWER: 'timeout',
  NORMAL_CLEARING: 'hangup',
  ALLOTTED_TIMEOUT: 'hangup',
  BLIND_TRANSFER: 'transferred',
  ATTENDED_TRANSFER: 'transferred',
  OUTGOING_CALL_BARRED: 'hangup',
}

/** Reason for an app, if its leg was not released here. */
export function clientEndOf({ hangupCause }: Pick<ChannelEnd, 'hangupCause'>): ClientLegEnd {
  return clientEnds[hangupCause] ?? 'failed'
}
