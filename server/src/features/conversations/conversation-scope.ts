/**
 * Who may see which conversations (contract, Conversations, Scoping); no other file decides that. Leaders, supervisors
 * and admins see all of their workspace. A member sees conversations of the numbers that they may use, which are shared
 * with one of their teams or with all (contract, Phone number: no teams means all agents), and conversations that are
 * assigned to them or to one of their teams.
 */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { forbidden } from '../../infrastructure/http/errors.js'

/** SQL that is true or false, and the values of its `?`. */
export interface Condition {
  readonly sql: string
  readonly values: readonly unknown[]
}

type Viewer = Pick<AgentActor, 'id' | 'role' | 'is_admin'>

/** Whether an agent sees all, and may assign all. */
export function seesAll({ role, is_admin }: Omit<Viewer, 'id'>): boolean {
  return role !== 'member' || is_admin
}

/** SQL condition: whether an agent may see the row `conversation` of conversations. */
export function seenBy(workspace: Owner, viewer: Viewer): Condition {
  if (seesAll(viewer)) return { sql: 'TRUE', values: [] }
  const { id } = viewer
  return { sql: memberSees('?', '?'), values: [id, id, id, workspace.id] }
}

/** The same of the row `agent` of agents, which is of the same workspace. */
export const seenByAgent = `(agent.role <> 'member' OR agent.is_admin = 1 OR ${memberSees('agent.id', 'agent.workspace_id')})`

/**
 * Checks that an agent may begin to write from a number; a number that is not the workspace's is not refused here.
 * @param digits the number
 * @throws 403
 */
export async function checkMayWriteFrom(
  database: Database,
  workspace: Owner,
  viewer: Viewer,
  digits: string,
): Promise<void> {
  if (seesAll(viewer)) return
  const unshared = await database.source.query<unknown[]>(
    `SELECT 1 FROM phone_numbers sender
     WHERE sender.workspace_id = ? AND sender.number = ? AND sender.id NOT IN (${numbersOf('?', '?')})`,
    [workspace.id, digits, viewer.id, workspace.id],
  )
  if (unshared.length > 0) throw forbidden('The number is not shared with a team of yours')
}

/** @param agent the SQL of an agent's id @param workspace that of their workspace's */
function memberSees(agent: string, workspace: string): string {
  return `(conversation.assigned_agent_id = ${agent}
    OR conversation.assigned_team_id IN (SELECT team_id FROM team_members WHERE agent_id = ${agent})
    OR conversation.phone_number_id IN (${numbersOf(agent, workspace)}))`
}

/** The numbers that an agent may use. A deleted number belongs to no agent, and not to all. */
function numbersOf(agent: string, workspace: string): string {
  return `SELECT number.id FROM phone_numbers number
    LEFT JOIN phone_number_teams shared ON shared.phone_number_id = number.id
    LEFT JOIN team_members own ON own.team_id = shared.team_id AND own.agent_id = ${agent}
    WHERE number.workspace_id = ${workspace} AND (shared.team_id IS NULL OR own.agent_id IS NOT NULL)`
}
