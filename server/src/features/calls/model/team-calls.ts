/** The teams of a call: those of its agents, as of its end (migration 0022). */
import type { EntityManager } from 'typeorm'
import type { CallLeg } from './call-leg.entity.js'
import type { Call } from './call.entity.js'

/** Adds an ended call to the histories of its agents' teams. */
export async function giveToTeams(
  tx: EntityManager,
  { id, workspace_id }: Call,
  legs: readonly { agent_id: string | null; role: CallLeg['role'] | null }[],
): Promise<void> {
  const inIt = legs.filter(({ role }) => role !== 'supervisor')
  const agents = [...new Set(inIt.flatMap(({ agent_id }) => agent_id ?? []))]
  if (agents.length === 0) return
  // IGNORE: a team may be deleted at this moment, and the end of a call must not wait for that.
  await tx.query(
    `INSERT IGNORE INTO team_calls (workspace_id, team_id, call_id)
     SELECT DISTINCT workspace_id, team_id, ? FROM team_members WHERE workspace_id = ? AND agent_id IN (?)`,
    [id, workspace_id, agents],
  )
}
