/** Which teams had a call: those whose agents took part in it, as they were when it ended (migration 0022). */
import type { EntityManager } from 'typeorm'
import type { CallLeg } from './call-leg.entity.js'
import type { Call } from './call.entity.js'

/** Writes a call that has ended into the histories of its agents' teams. */
export async function giveToTeams(
  tx: EntityManager,
  { id, workspace_id }: Call,
  legs: readonly { agent_id: string | null; role: CallLeg['role'] | null }[],
): Promise<void> {
  const inIt = legs.filter(({ role }) => role !== 'supervisor')
  const agents = [...new Set(inIt.flatMap(({ agent_id }) => agent_id ?? []))]
  if (agents.length === 0) return
  // Ignored: a team that is deleted in this very moment. The end of a call waits for none.
  await tx.query(
    `INSERT IGNORE INTO team_calls (workspace_id, team_id, call_id)
     SELECT DISTINCT workspace_id, team_id, ? FROM team_members WHERE workspace_id = ? AND agent_id IN (?)`,
    [id, workspace_id, agents],
  )
}
