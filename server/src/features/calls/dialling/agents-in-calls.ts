/**
 * Agents who are in a call or being rung. The server that drives the calls knows this in memory, without delay, and
 * publishes it to the others; after a start, until the calls are recovered, it is derived from the legs of live
 * calls.
 */
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { PresenceSource, AgentPresence } from '../../agents/agent-state.js'
import type { AgentClaims, HeldLeg } from './agent-claims.js'

/** Agents in the calls of other servers. */
interface Elsewhere {
  readonly presences: Map<string, AgentPresence>
  /** Cells whose servers have published all their agents. */
  readonly cells: ReadonlySet<string>
  /** Whether these cells have all the calls. */
  readonly isAll: boolean
}

export class AgentsInCalls implements PresenceSource {
  constructor(
    private readonly database: Database,
    private readonly claims: Pick<AgentClaims, 'taken' | 'knows'>,
    /** What other servers that drive calls have published. */
    private readonly elsewhere: Elsewhere,
  ) {}

  async onlineIn(workspace: Owner, ids?: readonly string[]): Promise<Map<string, AgentPresence>> {
    const { presences: states, cells, isAll } = this.elsewhere
    if (isAll) return states
    // Live calls are few; an agent's past ones are many.
    const legs: (HeldLeg & { agent_id: string; cell: string })[] = await this.database.source.query(
      `SELECT STRAIGHT_JOIN calls.cell, leg.agent_id, leg.channel_id, leg.call_id, leg.role, leg.created_at, leg.answered_at
       FROM calls JOIN call_legs leg ON leg.call_id = calls.id
       WHERE calls.live = 1 AND calls.workspace_id = ? AND leg.agent_id IS NOT NULL AND leg.ended_at IS NULL
       ${ids ? 'AND leg.agent_id IN (?)' : ''} ORDER BY leg.id`,
      [workspace.id, ...(ids ? [ids] : [])],
    )
    for (const [id, presence] of this.claims.taken()) {
      if (states.get(id)?.state !== 'incall') states.set(id, presence)
    }
    for (const leg of legs) {
      if (
        cells.has(leg.cell) ||
        this.claims.knows(leg.channel_id) ||
        states.get(leg.agent_id)?.state === 'incall'
      )
        continue
      states.set(leg.agent_id, presenceOf(leg))
    }
    return states
  }
}

/** A caller is in the call from the start. */
function presenceOf({ call_id, role, created_at, answered_at }: HeldLeg): AgentPresence {
  if (role === 'caller') return { state: 'incall', call_id, since: created_at }
  // A supervisor listens, and is not in the call.
  return answered_at && role !== 'supervisor'
    ? { state: 'incall', call_id, since: answered_at }
    : { state: 'busy', is_ringing: role !== 'supervisor', call_id, since: created_at }
}
