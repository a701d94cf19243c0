/**
 * The states of a call and what leads from one to the next (contract, "Calls"). No other file writes the status of a
 * call: in memory it is readonly, and `unit/call-state` finds statements that set it elsewhere.
 */
import type { EntityManager } from 'typeorm'
import { mustChange } from '../../../infrastructure/database/combined.js'
import { byPrimary } from '../../../infrastructure/database/rows.js'

/** `started`: media is up and the script runs; `active`: bridged to another party. */
type LiveStatus = 'created' | 'ringing' | 'started' | 'active'

/** How a call ended. It stays so. */
export type EndStatus = 'completed' | 'failed' | 'busy' | 'no_answer' | 'canceled'

export type CallStatus = LiveStatus | EndStatus

/**
 * What changes the status of a live call: the called party rings; it answers, and the script starts; it answers a call
 * without a script, or the script bridges it; that bridge ends.
 */
type Transition = 'ring' | 'answer' | 'bridge' | 'unbridge'

/**
 * Where each transition leads. A repeated `bridge` or `unbridge` changes nothing: the process that recovers a call does
 * not know whether the previous one had written it. Every live call can end.
 */
export const transitions: Readonly<Record<LiveStatus, Partial<Record<Transition, LiveStatus>>>> = {
  created: { ring: 'ringing', answer: 'started', bridge: 'active' },
  ringing: { answer: 'started', bridge: 'active' },
  started: { bridge: 'active', unbridge: 'started' },
  active: { bridge: 'active', unbridge: 'started' },
}

/** The status of a new call: outbound before it rings, inbound as the caller hears ringback, or rejected. */
export const firstStatus = { outbound: 'created', inbound: 'ringing', rejected: 'created' } as const

/** The two ways in which a call is answered: its script starts, or the switch has bridged both ends. */
export type AnswerTransition = 'answer' | 'bridge'

/** @returns null if the status does not allow it */
export function statusAfter(status: CallStatus, transition: Transition): LiveStatus | null {
  return (
    (transitions as Partial<Record<CallStatus, (typeof transitions)[LiveStatus]>>)[status]?.[transition] ??
    null
  )
}

/** Changes the status in memory. @returns false if the call's status does not allow it, and nothing has changed */
export function changeStatus(call: { status: CallStatus }, transition: Transition): boolean {
  const status = statusAfter(call.status, transition)
  if (status === null) return false
  call.status = status
  return true
}

/**
 * Changes the status in the row of a live call.
 * @param cell that drives the call
 * @returns false if the status does not allow it, the call has ended or another cell drives it, and nothing has changed
 */
export async function writeStatus(
  tx: EntityManager,
  { id }: { readonly id: string },
  cell: string,
  transition: Transition,
): Promise<boolean> {
  const { affectedRows } = await tx.query<{ affectedRows: number }>(...statusChange(id, cell, transition))
  return affectedRows > 0
}

/**
 * As {@link writeStatus}, in a combined transaction.
 * @throws {RefusedError} nothing may change: now or at the commit
 */
export async function requireStatus(
  tx: EntityManager,
  { id }: { readonly id: string },
  cell: string,
  transition: Transition,
  answer?: Answer,
): Promise<void> {
  await mustChange(tx, ...statusChange(id, cell, transition, answer))
}

/** The leg that has answered, if this is the answer of the call. */
interface Answer {
  readonly legId: string
  readonly at: Date
}

function statusChange(
  id: string,
  cell: string,
  transition: Transition,
  answer?: Answer,
): [sql: string, values: unknown[]] {
  const from = (Object.keys(transitions) as LiveStatus[]).filter((status) => transitions[status][transition])
  // Each transition leads to one status.
  const to = from.map((status) => transitions[status][transition])[0]
  const where = 'calls.id = ? AND calls.live = 1 AND calls.cell = ? AND calls.status IN (?)'
  if (answer)
    return [
      `UPDATE calls JOIN call_legs leg ON leg.call_id = calls.id
       SET calls.status = ?, calls.answered_at = ?, leg.answered_at = ? WHERE leg.id = ? AND ${where}`,
      [to, answer.at, answer.at, answer.legId, id, cell, from],
    ]
  return [`UPDATE calls ${byPrimary} SET calls.status = ? WHERE ${where}`, [to, id, cell, from]]
}

/** The columns of a call that has ended. */
export function endColumns(end: {
  readonly status: EndStatus
  readonly hangupCause: string
  readonly sipCode: number | null
  readonly endedAt: Date
}) {
  const { status, hangupCause: hangup_cause, sipCode: sip_code, endedAt: ended_at } = end
  return { status, live: null, ended_at, hangup_cause, sip_code } as const
}
