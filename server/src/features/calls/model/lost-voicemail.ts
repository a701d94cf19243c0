/** A call whose caller was thought to have left a message, of which nothing was recorded. */
import type { EntityManager } from 'typeorm'
import { readEnding } from './call-facts.js'
import { outcomeOf } from './call-outcome.js'
import type { EndStatus } from './call-state.js'
import { Call } from './call.entity.js'
import { lockedLegs } from './locked-legs.js'
import { keepIfMissed } from './settled-agents.js'

/**
 * Computes the outcome of an ended call again, in the transaction that has marked its voicemail as failed. While the call
 * lives, its end does so.
 * @returns whether the outcome has changed
 */
export async function loseVoicemail(tx: EntityManager, callId: string): Promise<boolean> {
  const legs = await lockedLegs(tx, callId)
  const call = await tx.getRepository(Call).findOneBy({ id: callId })
  if (!call?.ended_at || call.live || call.outcome !== 'voicemail') return false
  const ending = (await readEnding(tx, call))(legs)
  const outcome = outcomeOf(ending.facts, {
    ...{ status: call.status as EndStatus, endedBy: call.ended_by ?? 'unknown' },
    ...{ hangupCause: call.hangup_cause ?? '', endedAt: call.ended_at },
  })
  if (outcome.outcome === 'voicemail') return false
  await tx.update(Call, { id: callId }, { outcome: outcome.outcome, abandoned_in: outcome.abandoned_in })
  await keepIfMissed(tx, call, ending, outcome)
  return true
}
