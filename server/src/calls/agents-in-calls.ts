/** Agents that are in a call, or that one is ringing: derived from the legs of live calls. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import type { PresenceSource, Reach } from '../presence/agent-state.js'
import type { CallLeg } from './call-leg.entity.js'

type AgentLeg = Pick<CallLeg, 'call_id' | 'role' | 'created_at' | 'answered_at'> & { agent_id: string }

export class AgentsInCalls implements PresenceSource {
  constructor(private readonly database: Database) {}

  async onlineIn(workspace: Owner, ids?: readonly string[]): Promise<Map<string, Reach>> {
    // Live calls are few; an agent's past ones are many.
    const legs: AgentLeg[] = await this.database.source.query(
      `SELECT STRAIGHT_JOIN leg.agent_id, leg.call_id, leg.role, leg.created_at, leg.answered_at FROM calls
       JOIN call_legs leg ON leg.call_id = calls.id
       WHERE calls.live = 1 AND calls.workspace_id = ? AND leg.agent_id IS NOT NULL AND leg.ended_at IS NULL
       ${ids ? 'AND leg.agent_id IN (?)' : ''} ORDER BY leg.id`,
      [workspace.id, ...(ids ? [ids] : [])],
    )
    const states = new Map<string, Reach>()
    for (const leg of legs) {
      const known = states.get(leg.agent_id)
      if (known?.state !== 'incall') states.set(leg.agent_id, reachOf(leg))
    }
    return states
  }
}

/** Who calls is in a call from the beginning. */
function reachOf({ call_id, role, created_at, answered_at }: AgentLeg): Reach {
  if (role === 'caller') return { state: 'incall', call_id, since: created_at }
  return answered_at
    ? { state: 'incall', call_id, since: answered_at }
    : { state: 'busy', call_id, since: created_at }
}
