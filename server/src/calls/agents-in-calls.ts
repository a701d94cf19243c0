/** Agents that are in a call, or that one is ringing: derived from the legs of live calls. */
import type { PresenceSource } from '../agents/agent-states.js'
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'

export class AgentsInCalls implements PresenceSource {
  constructor(private readonly database: Database) {}

  async onlineIn(workspace: Owner): Promise<Map<string, 'incall' | 'busy'>> {
    const rows: { agent_id: string; talks: number | string }[] = await this.database.source.query(
      `SELECT leg.agent_id, MAX(leg.answered_at IS NOT NULL OR leg.role = 'caller') AS talks FROM calls
       JOIN call_legs leg ON leg.call_id = calls.id
       WHERE calls.live = 1 AND calls.workspace_id = ? AND leg.agent_id IS NOT NULL AND leg.ended_at IS NULL
       GROUP BY leg.agent_id`,
      [workspace.id],
    )
    return new Map(rows.map(({ agent_id, talks }) => [agent_id, Number(talks) ? 'incall' : 'busy']))
  }
}
