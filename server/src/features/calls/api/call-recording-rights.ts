/** Which agents may pause the recording of a live call. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../../infrastructure/http/endpoint.js'

interface Options {
  database: Database
  /** Whether the workspace lets its agents pause. */
  isForAgents: (workspace: Owner) => Promise<boolean>
}

export class CallRecordingRights {
  constructor(private readonly options: Options) {}

  /**
   * Whether an agent may: those in the call if the workspace lets them, and leaders, supervisors and admins.
   * @param callId of a call that the agent may see
   */
  async mayPause(workspace: Owner, callId: string, { id, role, is_admin }: AgentActor): Promise<boolean> {
    if (role !== 'member' || is_admin) return true
    return (await this.takesPart(callId, id)) && (await this.options.isForAgents(workspace))
  }

  /** A caller is in the call from its start. */
  private async takesPart(callId: string, agentId: string): Promise<boolean> {
    const rows: unknown[] = await this.options.database.source.query(
      `SELECT 1 FROM call_legs WHERE call_id = ? AND agent_id = ? AND ended_at IS NULL
         AND role <> 'supervisor' AND (role = 'caller' OR answered_at IS NOT NULL) LIMIT 1`,
      [callId, agentId],
    )
    return rows.length > 0
  }
}
