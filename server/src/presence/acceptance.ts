/** Who takes calls: whoever is active and has chosen neither `busy` nor `offline`, and had neither chosen for them. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'

export class Acceptance {
  constructor(private readonly database: Database) {}

  /** Those of some agents that may be rung, whatever reaches them; unknown ids are not among them. */
  async mayBeRung(workspace: Owner, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const rows: { id: string }[] = await this.database.source.query(
      `SELECT agent.id FROM agents agent LEFT JOIN chosen_states chosen
         ON chosen.workspace_id = agent.workspace_id AND chosen.agent_id = agent.id
       WHERE agent.workspace_id = ? AND agent.id IN (?) AND agent.is_active = 1 AND chosen.agent_id IS NULL`,
      [workspace.id, ids],
    )
    return new Set(rows.map(({ id }) => id))
  }
}
