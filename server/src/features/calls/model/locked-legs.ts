/** Rows that the end of a call is computed from. */
import type { EntityManager } from 'typeorm'
import { later } from '../../../infrastructure/database/combined.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { CallLeg, LegRole } from './call-leg.entity.js'
import type { Call } from './call.entity.js'
import { answerOfLeg } from './leg-ends.js'
import { billedSeconds, chargedSeconds, costOf, isFree } from '../../rates/rating.js'

/** A leg, with the columns of its call that its end depends on. */
export interface LockedLeg {
  live: 1 | null
  line: Call['line']
  /** The team that the call was last to reach. */
  team_id: string | null
  /** How long the call was on hold, in milliseconds; and since when it is held. */
  hold_ms: number
  held_at: Date | null
  /** The cell that drives the call. */
  cell: string
  credit_held: string
  call_answered_at: Date | null
  /** Seconds after which the switch ends the call. */
  max_duration: number
  /** From here on: null if the call has no leg. */
  id: string | null
  answered_at: Date | null
  ended_at: Date | null
  fee_per_minute: string | null
  connection_fee: string | null
  minimum_seconds: number | null
  increment_seconds: number | null
  agent_id: string | null
  role: LegRole | null
  gateway_id: string | null
  voice_agent_id: string | null
  uri: string | null
  created_at: Date | null
  is_ended_by_peer: 0 | 1 | null
}

/**
 * Locks a call and its legs until the transaction ends.
 * @returns one row for a call without legs; none if there is no such call
 */
export async function lockedLegs(tx: EntityManager, callId: string): Promise<LockedLeg[]> {
  return tx.query<LockedLeg[]>(
    `SELECT calls.live, calls.cell, calls.credit_held, calls.answered_at AS call_answered_at, calls.max_duration,
       calls.line, calls.team_id, calls.hold_ms, calls.held_at, leg.id, leg.answered_at, leg.ended_at, leg.fee_per_minute, leg.connection_fee, leg.minimum_seconds,
       leg.increment_seconds, leg.agent_id, leg.role, leg.gateway_id, leg.voice_agent_id, leg.uri, leg.created_at,
       leg.is_ended_by_peer
     FROM calls LEFT JOIN call_legs leg ON leg.call_id = calls.id WHERE calls.id = ? FOR UPDATE`,
    [callId],
  )
}

/** Writes the end of a leg. If its call has ended before, the leg does not outlast what was charged. */
export async function writeEndOfLeg(
  tx: EntityManager,
  leg: Pick<CallLeg, 'id' | 'call_id' | 'answered_at'>,
  end: ChannelEnd,
): Promise<void> {
  const { endedAt, hangupCause, sipCode, isByPeer, isUnacknowledged = false } = end
  await later(
    tx,
    `UPDATE calls JOIN call_legs leg ON leg.call_id = calls.id
     SET leg.answered_at = IF(calls.live = 1, IF(?, NULL, COALESCE(?, leg.answered_at)), leg.answered_at),
       leg.ended_at = IF(calls.live = 1 OR leg.ended_at IS NULL, ?, LEAST(leg.ended_at, ?)),
       leg.hangup_cause = ?, leg.sip_code = ?, leg.is_ended_by_peer = ?
     WHERE calls.id = ? AND leg.id = ?`,
    // A stale read from before the answer must not clear `answered_at`.
    [
      ...[isUnacknowledged, answerOfLeg(leg, end), endedAt, endedAt, hangupCause, sipCode, isByPeer ?? null],
      ...[leg.call_id, leg.id],
    ],
  )
}

/** Closes all open legs of an ended call; a leg's own end, a moment later, overwrites this. */
export async function endOpenLegs(
  tx: EntityManager,
  callId: string,
  legs: readonly LockedLeg[],
  callEndedAt: Date,
): Promise<void> {
  if (!legs.some(({ id, ended_at }) => id !== null && ended_at === null)) return
  await later(
    tx,
    `UPDATE call_legs SET ended_at = GREATEST(?, created_at, COALESCE(answered_at, created_at))
     WHERE call_id = ? AND ended_at IS NULL`,
    [callEndedAt, callId],
  )
}

/** What a leg costs. */
export interface LegCharge {
  readonly id: string
  readonly seconds: number
  /** USD. */
  readonly cost: number
}

type ChargedLeg = Pick<
  LockedLeg,
  | 'id'
  | 'answered_at'
  | 'ended_at'
  | 'max_duration'
  | 'fee_per_minute'
  | 'connection_fee'
  | 'minimum_seconds'
  | 'increment_seconds'
>

/** Charges of a call's legs. No leg lasts longer than its call; a leg without a known end ended with it. */
export function chargesOf(legs: readonly ChargedLeg[], callEndedAt: Date): LegCharge[] {
  return legs.flatMap((leg) => {
    if (leg.id === null) return []
    const rate = {
      fee_per_minute: Number(leg.fee_per_minute),
      connection_fee: Number(leg.connection_fee),
      minimum_seconds: leg.minimum_seconds ?? 1,
      increment_seconds: leg.increment_seconds ?? 1,
    }
    // After a crash or power loss the end is unknown: cap it at the call's maximum duration.
    const endedAt = leg.ended_at && leg.ended_at < callEndedAt ? leg.ended_at : callEndedAt
    const seconds = Math.min(billedSeconds(leg.answered_at, endedAt), leg.max_duration)
    return [{ id: leg.id, seconds: chargedSeconds(seconds, rate), cost: costOf(seconds, rate) }]
  })
}

/** Stores the charge of each leg. */
export async function writeCharges(
  tx: EntityManager,
  callId: string,
  charges: readonly LegCharge[],
): Promise<void> {
  const cases = `CASE id ${'WHEN ? THEN ? '.repeat(charges.length)}END`
  await later(
    tx,
    `UPDATE call_legs SET charged_seconds = ${cases}, cost = ${cases} WHERE call_id = ? AND id IN (?)`,
    [
      ...charges.flatMap(({ id, seconds }) => [id, seconds]),
      ...charges.flatMap(({ id, cost }) => [id, cost.toFixed(6)]),
      callId,
      charges.map(({ id }) => id),
    ],
  )
}

/** Seconds of the largest billing increment among legs. */
export function largestIncrement(legs: readonly (CallLeg | undefined)[]): number {
  return Math.max(1, ...legs.flatMap((leg) => (leg && !isFree(leg) ? [leg.increment_seconds] : [])))
}

/** USD, for a live leg, up to a moment. */
export function costSoFar(leg: CallLeg | undefined, now: Date): number {
  return leg?.answered_at ? costOf(billedSeconds(leg.answered_at, now), leg) : 0
}
