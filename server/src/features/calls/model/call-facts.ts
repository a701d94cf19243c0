/** Reads the rows that a call's outcome is computed from: one query beside those of the call and its legs. */
import type { EntityManager } from 'typeorm'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import { isOfStream } from './stream-address.js'
import type { CallFacts, OfferFacts, WaitFacts } from './call-outcome.js'
import type { LockedLeg } from './locked-legs.js'

interface FactRow {
  kind: 'offer' | 'wait' | 'voicemail' | 'missed'
  id: string | null
  agent_id: string | null
  team_id: string | null
  since: Date
  until: Date | null
  result: string | null
}

/** An offer or wait, with what names its row. */
type WithId<T> = T & { readonly id: string }

/** What is in a call's rows, and what its end changes in others. */
export interface EndingCall {
  readonly facts: CallFacts
  /** Offers that have not ended. */
  readonly openOffers: readonly string[]
  /** Whether it still waits in a queue. */
  readonly isWaiting: boolean
  /** Calls with the same caller or called party that wait for a call back. */
  readonly missedBefore: readonly string[]
}

interface Parties {
  readonly id: string
  readonly workspace_id: string
  readonly from_number: string
  readonly to_number: string
}

/**
 * @returns computes it from the rows of the call and its legs; one row at least
 */
export async function readEnding(
  tx: EntityManager,
  call: Parties,
): Promise<(locked: readonly LockedLeg[]) => EndingCall> {
  const rows = await tx.query<FactRow[]>(
    `SELECT 'offer' AS kind, id, agent_id, team_id, began_at AS since, ended_at AS until, result
       FROM call_offers WHERE call_id = ?
     UNION ALL SELECT 'wait', NULL, NULL, team_id, entered_at, left_at, result
       FROM queue_waits WHERE call_id = ?
     UNION ALL SELECT 'voicemail', id, NULL, NULL, created_at, ended_at, NULL
       FROM recordings WHERE call_id = ? AND kind = 'voicemail' AND status <> 'failed'
     UNION ALL SELECT 'missed', call_id, NULL, NULL, created_at, NULL, NULL
       FROM missed_calls WHERE workspace_id = ? AND number IN (?, ?) AND handled_at IS NULL
     ORDER BY since`,
    [call.id, call.id, call.id, call.workspace_id, ...callersOf(call)],
  )
  return (locked) => endingOf(call, rows, locked)
}

function endingOf(
  { id }: Pick<Parties, 'id'>,
  rows: readonly FactRow[],
  locked: readonly LockedLeg[],
): EndingCall {
  const of = (kind: FactRow['kind']) => rows.filter((row) => row.kind === kind)
  const offers = of('offer') as unknown as WithId<OfferFacts>[]
  const waits = of('wait') as unknown as WaitFacts[]
  const [row] = locked
  if (!row) throw new Error(`${id} has no row`)
  return {
    facts: {
      line: row.line,
      teamId: row.team_id,
      holdMs: row.hold_ms,
      heldAt: row.held_at,
      legs: locked.flatMap((leg) => factsOfLeg(leg) ?? []),
      offers,
      waits,
      hasVoicemail: of('voicemail').length > 0,
    },
    openOffers: offers.filter(({ until }) => until === null).map(({ id }) => id),
    isWaiting: waits.some(({ until }) => until === null),
    missedBefore: of('missed').flatMap(({ id }) => id ?? []),
  }
}

/** Numbers by which missed calls and voicemails of one caller are known: callers who withhold theirs are not one. */
export function callersOf({ from_number, to_number }: Pick<Parties, 'from_number' | 'to_number'>): string[] {
  return [from_number, to_number].map((number) => (number === anonymous ? '' : number))
}

function factsOfLeg({ id, role, uri, is_ended_by_peer, ...leg }: LockedLeg) {
  if (id === null || role === null || uri === null || leg.created_at === null) return null
  return {
    ...{ id, role, agent_id: leg.agent_id, gateway_id: leg.gateway_id },
    isMachine: leg.voice_agent_id !== null || isOfStream({ uri }),
    ...{ created_at: leg.created_at, answered_at: leg.answered_at, ended_at: leg.ended_at },
    is_ended_by_peer: is_ended_by_peer === null ? null : Boolean(is_ended_by_peer),
  }
}
