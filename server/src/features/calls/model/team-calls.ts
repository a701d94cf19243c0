/** The teams of a call: those of its agents, as of its end (migration 0022). */
import type { EntityManager } from 'typeorm'
import { later } from '../../../infrastructure/database/combined.js'
import type { CallLeg } from './call-leg.entity.js'
import type { Call } from './call.entity.js'

/** Adds an ended call to the histories of its agents' teams, and of the team that it was to reach. */
export async function giveToTeams(
  tx: EntityManager,
  { id, workspace_id }: Call,
  legs: readonly { agent_id: string | null; role: CallLeg['role'] | null }[],
  offered: readonly string[] = [],
  teamId: string | null = null,
): Promise<void> {
  const inIt = legs.filter(({ role }) => role !== 'supervisor')
  const agents = [...new Set([...inIt.flatMap(({ agent_id }) => agent_id ?? []), ...offered])]
  if (agents.length === 0 && teamId === null) return
  // IGNORE: a team may be deleted at this moment, and the end of a call must not wait for that.
  await later(
    tx,
    `INSERT IGNORE INTO team_calls (workspace_id, team_id, call_id)
     SELECT workspace_id, team_id, ? FROM team_members WHERE workspace_id = ? AND agent_id IN (?)
     UNION SELECT workspace_id, id, ? FROM teams WHERE workspace_id = ? AND id = ?`,
    // An empty list is no SQL.
    [id, workspace_id, agents.length > 0 ? agents : [''], id, workspace_id, teamId],
  )
}
