/**
 * The outcome of a call as a call centre reports it: computed from rows when the call ends, so that a crash or a restart
 * changes nothing. `status` says how the signalling ended; the outcome says who served the caller, if anyone did.
 */
import { type Interval, secondsIn } from '../../../lib/intervals.js'
import type { LegRole } from './call-leg.entity.js'
import type { EndStatus } from './call-state.js'
import type { OfferResult } from './call-offer.entity.js'
import type { EndedBy } from './ended-by.js'
import type { WaitResult } from './queue-wait.entity.js'

/**
 * `answered`: a person answered; `voice_agent`: a voice agent or the customer's own program answered, and no person did;
 * `voicemail`: the caller left a message; `self_service`: the script served the caller without dialling; `abandoned`: the
 * caller left first; `missed`: no one answered; `refused`: this platform or the called party rejected the call; `failed`:
 * it could not be connected.
 */
export const callOutcomes = [
  ...(['answered', 'voice_agent', 'voicemail', 'self_service'] as const),
  ...(['abandoned', 'missed', 'refused', 'failed'] as const),
] as const
export type CallOutcome = (typeof callOutcomes)[number]

const unanswered: ReadonlySet<CallOutcome | null> = new Set(['abandoned', 'missed', 'voicemail'])

/** Whether an ended call reached no one, so that the caller waits for an answer. */
export function isUnanswered(outcome: CallOutcome | null): boolean {
  return unanswered.has(outcome)
}

/** Where a caller was when they left: in the queue of a team, while a phone rang, or in the script. */
export const abandonedPlaces = ['queue', 'ringing', 'menu'] as const
export type AbandonedPlace = (typeof abandonedPlaces)[number]

/** What took a call; `stream`: the customer's own program; `client`: a user of the customer's app. */
export const answererKinds = ['agent', 'voice_agent', 'sip_account', 'client', 'number', 'stream'] as const
export type AnswererKind = (typeof answererKinds)[number]

/** A leg, as far as an outcome depends on it. */
export interface LegFacts {
  readonly id: string
  readonly role: LegRole
  readonly agent_id: string | null
  readonly gateway_id: string | null
  /** Whether its far end is a voice agent or the customer's own program. */
  readonly isMachine: boolean
  readonly created_at: Date
  readonly answered_at: Date | null
  readonly ended_at: Date | null
  /** Whether the party at this end hung up; null if that is not known. */
  readonly is_ended_by_peer: boolean | null
}

/** An offer of the call to an agent. */
export interface OfferFacts {
  readonly agent_id: string
  readonly team_id: string | null
  readonly since: Date
  readonly until: Date | null
  readonly result: OfferResult | null
}

/** A wait in the queue of a team. */
export interface WaitFacts {
  readonly team_id: string
  readonly since: Date
  readonly until: Date | null
  readonly result: WaitResult | null
}

export interface CallFacts {
  /** The leg on which its script runs; null: it has none. */
  readonly line: 'caller' | 'called' | null
  /** The team that it was last to reach. */
  readonly teamId: string | null
  /** Milliseconds on hold until now, and since when it is held; null if it is not. */
  readonly holdMs: number
  readonly heldAt: Date | null
  readonly legs: readonly LegFacts[]
  readonly offers: readonly OfferFacts[]
  readonly waits: readonly WaitFacts[]
  /** The caller left a message. */
  readonly hasVoicemail: boolean
}

/** How it ended. */
export interface EndFacts {
  readonly status: EndStatus
  readonly endedBy: EndedBy
  readonly hangupCause: string
  readonly endedAt: Date
  /** It was rejected on arrival. */
  readonly isRejected?: boolean
}

/** Columns of an ended call. */
export interface OutcomeColumns {
  readonly outcome: CallOutcome
  readonly abandoned_in: AbandonedPlace | null
  readonly ended_by: EndedBy
  /** The leg of the person, or else of the voice agent, who took the call first. */
  readonly answered_leg_id: string | null
  readonly team_id: string | null
  readonly wait_seconds: number
  readonly ring_seconds: number
  readonly talk_seconds: number
  readonly hold_seconds: number
}

/** What ends within this before the call, in milliseconds, ended with it. */
const withTheCallMs = 1_000

/** Causes with which a called party turns a call down. */
const turnedDown: ReadonlySet<string> = new Set(['USER_BUSY', 'CALL_REJECTED'])

export function outcomeOf(call: CallFacts, end: EndFacts): OutcomeColumns {
  const took = legsThatTook(call)
  const first = took[0] ?? machineLegs(call)[0] ?? null
  const outcome = kindOf(call, end, took.length > 0)
  const endOf = (until: Date | null) => (until && until < end.endedAt ? until : end.endedAt)
  const talked = talkOf(call, took).map(({ since, until }) => ({ since, until: endOf(until) }))
  const hold = call.holdMs + (call.heldAt ? Math.max(0, end.endedAt.getTime() - call.heldAt.getTime()) : 0)
  const holdSeconds = talked.length > 0 ? Math.round(hold / 1000) : 0
  return {
    outcome,
    abandoned_in: outcome === 'abandoned' ? placeOf(call, end) : null,
    ended_by: leftFirst(call, end, took),
    answered_leg_id: first?.id ?? null,
    team_id: teamOf(call),
    wait_seconds: secondsIn(call.waits.map(({ since, until }) => ({ since, until: endOf(until) }))),
    ring_seconds: secondsIn(ringsOf(call, endOf)),
    talk_seconds: Math.max(0, secondsIn(talked) - holdSeconds),
    hold_seconds: holdSeconds,
  }
}

function kindOf(call: CallFacts, end: EndFacts, isTaken: boolean): CallOutcome {
  if (end.isRejected) return 'refused'
  if (isTaken) return 'answered'
  if (call.hasVoicemail) return 'voicemail'
  if (machineLegs(call).length > 0) return 'voice_agent'
  const isOffered = wasOffered(call)
  if (end.status === 'canceled' || hasLeft(call, end)) return 'abandoned'
  if (end.hangupCause === 'CRASH') return 'failed'
  if (isOffered) return missedOr(call, end)
  if (end.status === 'completed') return 'self_service'
  return missedOr(call, end)
}

/** The outcome of a call without an answer, whose caller stayed. */
function missedOr(call: CallFacts, { status, hangupCause }: EndFacts): CallOutcome {
  const toOutside = dialled(call).every(({ gateway_id }) => gateway_id !== null) && call.offers.length === 0
  if (toOutside && turnedDown.has(hangupCause)) return 'refused'
  if (status === 'failed' && hangupCause !== 'SUBSCRIBER_ABSENT' && !wasOfferedToAgents(call)) {
    return turnedDown.has(hangupCause) ? 'missed' : 'failed'
  }
  return 'missed'
}

function hasLeft(call: CallFacts, end: EndFacts): boolean {
  if (end.endedBy === 'caller') return true
  // Of a recovered call it is not known who left; if it waited or rang until its end, its caller did.
  return end.endedBy === 'unknown' && end.status === 'completed' && placeOf(call, end) !== 'menu'
}

function placeOf(call: CallFacts, end: EndFacts): AbandonedPlace {
  const lasted = (until: Date | null) =>
    until === null || until.getTime() >= end.endedAt.getTime() - withTheCallMs
  if (call.waits.some(({ until, result }) => (result ?? 'left') === 'left' && lasted(until))) return 'queue'
  const rang = [
    ...call.offers.filter(({ result }) => (result ?? 'caller_left') === 'caller_left'),
    ...dialled(call).filter(({ answered_at }) => answered_at === null),
  ].map((one) => ('until' in one ? one.until : one.ended_at))
  return call.line !== 'caller' || rang.some(lasted) ? 'ringing' : 'menu'
}

/** Legs of people who took the call, the first one first. */
function legsThatTook(call: CallFacts): LegFacts[] {
  return dialled(call)
    .filter(({ answered_at, isMachine }) => answered_at !== null && !isMachine)
    .sort((one, other) => Number(one.answered_at) - Number(other.answered_at))
}

function machineLegs(call: CallFacts): LegFacts[] {
  return dialled(call).filter(({ answered_at, isMachine }) => answered_at !== null && isMachine)
}

/** Legs to the called party, or to where the script led. */
function dialled({ legs }: CallFacts): LegFacts[] {
  return legs.filter(({ role }) => role === 'called' || role === 'destination')
}

/** When people talked. Where the script runs on the called party's leg, the legs count to which it connected them. */
function talkOf({ line }: CallFacts, took: readonly LegFacts[]): { since: Date; until: Date | null }[] {
  const connected = took.filter(({ role }) => role === 'destination')
  const talked = line === 'called' && connected.length > 0 ? connected : took
  return talked.flatMap(({ answered_at, ended_at }) =>
    answered_at ? [{ since: answered_at, until: ended_at }] : [],
  )
}

function ringsOf(call: CallFacts, endOf: (until: Date | null) => Date): Interval[] {
  const legs = dialled(call).filter(({ isMachine }) => !isMachine)
  return [
    ...call.offers.map(({ since, until }) => ({ since, until: endOf(until) })),
    ...legs.map((leg) => ({ since: leg.created_at, until: endOf(leg.answered_at ?? leg.ended_at) })),
  ]
}

function wasOfferedToAgents({ offers, teamId }: CallFacts): boolean {
  return offers.length > 0 || teamId !== null
}

function wasOffered(call: CallFacts): boolean {
  return wasOfferedToAgents(call) || dialled(call).some(({ isMachine }) => !isMachine)
}

function teamOf({ teamId, offers, waits }: CallFacts): string | null {
  return teamId ?? waits.at(-1)?.team_id ?? offers.findLast(({ team_id }) => team_id)?.team_id ?? null
}

/** The server ends a call whose far end has hung up before: that one left first. */
function leftFirst(
  { line }: CallFacts,
  { endedBy, endedAt, status }: EndFacts,
  took: readonly LegFacts[],
): EndedBy {
  const last = took.at(-1)
  const isGone = last?.ended_at && last.ended_at <= endedAt && last.is_ended_by_peer === true
  const isFarEnd = line !== 'called' || last?.role === 'destination'
  return endedBy === 'server' && status === 'completed' && isGone && isFarEnd ? 'callee' : endedBy
}
