/** What the end of a call changes beside its own row: offers and waits are over, and a missed call waits for a call back. */
import type { EntityManager } from 'typeorm'
import { later } from '../../../infrastructure/database/combined.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import { answerVoicemails } from '../../recordings/open-voicemails.js'
import { type EndingCall, callersOf } from './call-facts.js'
import type { OutcomeColumns } from './call-outcome.js'
import type { Call } from './call.entity.js'
import { MissedCall } from './missed-call.entity.js'

type EndedCall = Pick<Call, 'id' | 'workspace_id' | 'line' | 'from_number' | 'to_number' | 'created_at'>

/** Earlier calls, by their ids, whose callers an agent has talked to now. */
export interface CalledBack {
  readonly missed_calls: readonly string[]
  readonly voicemails: readonly string[]
}

const none: CalledBack = { missed_calls: [], voicemails: [] }

export async function settleAgents(
  tx: EntityManager,
  call: EndedCall,
  ending: EndingCall,
  outcome: OutcomeColumns,
  endedAt: Date,
): Promise<CalledBack> {
  const { openOffers, isWaiting } = ending
  // By their ids: an offer that is being written waits for this transaction, and this must not wait for it.
  if (openOffers.length > 0)
    await later(
      tx,
      `UPDATE call_offers SET ended_at = GREATEST(began_at, ?), result = 'caller_left'
       WHERE id IN (?) AND ended_at IS NULL`,
      [endedAt, openOffers],
    )
  if (isWaiting)
    await later(
      tx,
      `UPDATE queue_waits SET left_at = GREATEST(entered_at, ?), result = 'left'
       WHERE call_id = ? AND left_at IS NULL`,
      [endedAt, call.id],
    )
  if (outcome.outcome === 'answered') return calledBack(tx, call, ending, outcome, endedAt)
  await keepIfMissed(tx, call, ending, outcome)
  return none
}

/** Has a call that agents were to take, and did not, wait for a call back. */
export async function keepIfMissed(
  tx: EntityManager,
  call: EndedCall,
  ending: EndingCall,
  outcome: OutcomeColumns,
): Promise<void> {
  if (isMissed(call, ending, outcome)) await insertRows(tx, MissedCall, [missedCallOf(call, outcome)])
}

/** Whether agents were to take the call, and did not. A call that an API request made has no caller to call back. */
function isMissed({ line }: EndedCall, { facts }: EndingCall, { outcome }: OutcomeColumns): boolean {
  const isForAgents = facts.offers.length > 0 || facts.teamId !== null
  return line !== 'called' && isForAgents && (outcome === 'abandoned' || outcome === 'missed')
}

function missedCallOf({ id, workspace_id, from_number, created_at }: EndedCall, { team_id }: OutcomeColumns) {
  return {
    ...{ call_id: id, workspace_id, number: from_number, team_id, created_at },
    ...{ handled_at: null, handled_by: null },
  }
}

/** An agent has talked to the caller of missed calls and voicemails: they are handled. */
async function calledBack(
  tx: EntityManager,
  call: EndedCall,
  { facts, missedBefore }: EndingCall,
  { answered_leg_id }: OutcomeColumns,
  at: Date,
): Promise<CalledBack> {
  const { workspace_id, created_at } = call
  const answered = facts.legs.find(({ id }) => id === answered_leg_id)
  const caller = facts.legs.find(({ role }) => role === 'caller')
  const agentId = caller?.agent_id ?? answered?.agent_id ?? null
  if (agentId === null) return none
  const voicemails = await answerVoicemails(tx, {
    workspace_id,
    numbers: callersOf(call),
    since: created_at,
    agentId,
    at,
  })
  if (missedBefore.length > 0)
    await later(
      tx,
      `UPDATE missed_calls SET handled_at = ?, handled_by = ? WHERE call_id IN (?) AND handled_at IS NULL`,
      [at, agentId, missedBefore],
    )
  return { missed_calls: missedBefore, voicemails }
}
