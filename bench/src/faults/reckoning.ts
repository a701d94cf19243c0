/** What far ends saw of calls beside what the history says and charges of them. */
import type { FarCall } from './far-call.js'
import { talkSeconds } from './served.js'

/** A call as `GET /calls` has it. */
export interface HistoryCall {
  call_id: string
  direction: string
  from: string
  to: string
  status: string
  duration: number
  cost: number
  answered_at: string | null
  ended_at: string | null
}

/** A call that was asked for by the API. */
export interface Offered {
  number: string
  at: number
  /** Undefined where the API did not accept it. */
  callId: string | undefined
  isRecorded: boolean
}

/** Milliseconds since 1970. */
export interface Span {
  begin: number
  end: number
}

/** While a part had ended. */
export interface Outage extends Span {
  /** When it was seen to have ended; `begin` is when it was last seen up, `end` when it was up again. */
  seenAt: number
}

/** What a fault did that excuses calls. */
export interface FaultTrace {
  /** While FreeSWITCH had ended of it, and all calls that were up with it. */
  switchEnded: readonly Outage[]
  /** While it stood between FreeSWITCH and the far ends. */
  edgeHeldUp: readonly Span[]
}

/** Seconds. */
const tolerance = 2

/** Longest interval between retransmissions of a message (RFC 3261, T2). */
const resentMs = 4_000
/** Without an answer the sender gives up after this time (RFC 3261, 64 * T1). */
const givenUpMs = 32_000
/** A carrier's answer that crosses our giving up is acknowledged and ended at once (RFC 3261, 13.2.2.4). */
const crossedMs = 1_000

/** Seconds that may be charged for a call. */
export interface Chargeable {
  least: number
  most: number
  /** Whether it may have ended before anybody here could know of its answer. */
  isFree: boolean
}

/**
 * From its ACK to its BYE both ends agreed; between 200 and ACK, and between BYE and its answer, only one of them knew. A
 * fault excuses more only where it ended the switch with the call, or held up a message of this very call.
 */
export function chargeable(call: FarCall, fault: FaultTrace): Chargeable {
  const { answeredAt, acknowledgedAt, byeAt } = call
  if (answeredAt === null) return { least: 0, most: 0, isFree: true }
  const ended = outageOf(call, fault)
  const endHeldUp = endHeldUpBy(call, fault)
  // A message that was held up was sent when that had begun, or it would have come.
  const answerHeldUp = call.side === 'caller' ? heldUp(answeredAt, fault) : undefined
  const firstKnown = answerHeldUp ? Math.max(call.invitedAt, answerHeldUp.begin) : answeredAt
  // A far end that hung up and was not heard is talked to until we hang up ourselves.
  const unheard = endHeldUp && call.byeBy === 'far' ? answeredAt + talkSeconds * 1000 : 0
  const latest = Math.max(lastEndOf(call), unheard)
  const lastEnd = ended ? Math.min(ended.end, latest) : latest
  const most = Math.max(0, lastEnd - firstKnown) / 1000
  // The 200 of a carrier that gets no ACK may never have come to us; that of ours is known.
  if (acknowledgedAt === null)
    return { least: 0, most, isFree: ended !== undefined || call.side === 'carrier' }
  const ends = [byeAt ?? acknowledgedAt]
  if (ended) ends.push(ended.begin)
  if (endHeldUp) ends.push(endHeldUp.begin)
  const least = Math.max(0, Math.min(...ends) - acknowledgedAt) / 1000
  const isLate = call.side === 'carrier' || answerHeldUp !== undefined
  return {
    least,
    most,
    isFree: (isLate && isCrossed(call)) || (ended !== undefined && least <= tolerance),
  }
}

/** We had given up when an answer came late: a carrier's, or ours that Kamailio had held up. */
const isCrossed = ({ acknowledgedAt, byeBy, byeAt }: FarCall) =>
  byeBy === 'jackfield' && acknowledgedAt !== null && byeAt !== null && byeAt - acknowledgedAt <= crossedMs

/** With which the call ended. */
function outageOf(call: FarCall, { switchEnded }: FaultTrace): Outage | undefined {
  const { answeredAt } = call
  if (answeredAt === null || hasAgreedEnd(call)) return undefined
  return switchEnded.find(({ begin, seenAt }) => answeredAt <= seenAt && lastEndOf(call) >= begin)
}

/** @param at when a message of ours came to a far end */
const heldUp = (at: number, { edgeHeldUp }: FaultTrace) =>
  edgeHeldUp.find(({ begin, end }) => at >= begin && at <= end + resentMs)

/** The span that delayed or lost our BYE: then the BYE of the far end is not taken either. */
function endHeldUpBy(call: FarCall, fault: FaultTrace): Span | undefined {
  const { acknowledgedAt, byeBy, byeAt } = call
  if (acknowledgedAt === null || byeAt === null) return undefined
  if (byeBy === 'jackfield') return heldUp(byeAt, fault)
  if (hasAgreedEnd(call)) return undefined
  return fault.edgeHeldUp.find(({ begin, end }) => acknowledgedAt <= end && byeAt >= begin)
}

/** A BYE of ours comes from the switch that had the call. */
const hasAgreedEnd = ({ byeBy, byeStatus }: FarCall) => byeBy === 'jackfield' || byeStatus === 200

function lastEndOf({ answeredAt, acknowledgedAt, byeBy, byeAt, byeAnsweredAt }: FarCall): number {
  if (byeAt !== null) return byeBy === 'far' ? (byeAnsweredAt ?? byeAt + givenUpMs) : byeAt
  return acknowledgedAt === null ? (answeredAt ?? 0) + givenUpMs : Infinity
}

/**
 * Errors in the history, in words; each is data lost.
 * @param far calls of one or more far ends
 * @param history all calls of the time
 */
export function wrongs(
  offered: readonly Offered[],
  far: readonly FarCall[],
  history: readonly HistoryCall[],
  fault: FaultTrace,
): string[] {
  const ids = new Set(history.map(({ call_id }) => call_id))
  const missing = offered.filter(({ callId }) => callId !== undefined && !ids.has(callId))
  const seen = groupedBy(far, ({ number }) => number)
  const kept = groupedBy(history, ({ direction, from, to }) => (direction === 'inbound' ? from : to))
  const numbers = new Set([...seen.keys(), ...kept.keys()])
  return [
    ...missing.map(({ callId, number }) => `${callId ?? ''} to ${number} was accepted and is not there`),
    ...history
      .filter(({ ended_at }) => ended_at === null)
      .map(({ call_id, status }) => `${call_id} has no end: ${status}`),
    ...[...numbers].flatMap((number) =>
      wrongOf(number, seen.get(number) ?? [], kept.get(number) ?? [], fault),
    ),
  ]
}

function wrongOf(
  number: string,
  far: readonly FarCall[],
  kept: readonly HistoryCall[],
  fault: FaultTrace,
): string[] {
  const subject = `${number}, ${kept.map(({ call_id }) => call_id).join(' ') || 'not in the history'}`
  const charged = kept.filter(({ cost }) => cost > 0)
  if (charged.length > 1) return [`${subject}: charged ${charged.length} times`]
  const [one] = charged
  const ranges = far.map((call) => chargeable(call, fault))
  const least = ranges.reduce((sum, range) => sum + range.least, 0)
  const most = ranges.reduce((sum, range) => sum + range.most, 0)
  if (!one) {
    return ranges.every(({ isFree }) => isFree)
      ? []
      : [`${subject}: answered for ${least.toFixed(1)} s and not charged`]
  }
  if (far.every(({ answeredAt }) => answeredAt === null)) return [`${subject}: charged and not answered`]
  if (one.duration >= least - tolerance && one.duration <= most + tolerance) return []
  return [
    `${subject}: ${one.duration} s charged, its far end saw ${least.toFixed(1)} to ${most.toFixed(1)} s`,
  ]
}

function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}
