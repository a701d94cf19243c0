/** What narrows a list of agents. */
import { And, type FindOperator, type FindOptionsWhere, Raw } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { none } from '../../infrastructure/http/lists.js'
import type { Agent } from './agent.entity.js'
import type { AgentList } from './agent.schema.js'

/** @param being the condition that they are in a state */
export function agentFilter(
  workspace: Owner,
  { country_code, is_active, is_admin, role, team_id }: AgentList,
  being: FindOperator<string> | undefined,
): FindOptionsWhere<Agent> {
  const named = [...(being ? [being] : []), ...(team_id === undefined ? [] : [inTeam(workspace, team_id)])]
  return {
    ...(named.length > 0 && { id: And(...named) }),
    ...(country_code !== undefined && { country_code }),
    ...(is_active !== undefined && { is_active }),
    ...(is_admin !== undefined && { is_admin }),
    ...(role && { role }),
  }
}

/** @param team its id, or `none`: those in no team */
function inTeam({ id: owner }: Owner, team: string): FindOperator<string> {
  const members = 'SELECT agent_id FROM team_members WHERE workspace_id = :owner'
  return (
    team === none
      ? Raw((id) => `${id} NOT IN (${members})`, { owner })
      : Raw((id) => `${id} IN (${members} AND team_id = :team)`, { owner, team })
  ) as FindOperator<string>
}
