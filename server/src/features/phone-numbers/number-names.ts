/** Names of what numbers are connected with: their flows and teams. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { SharedNumber } from './number-teams.js'

export interface NumberNames {
  call_flow_title: string | null
  /** In the order of `shared_teams_id`. */
  shared_team_names: string[]
}

/** Adds the names to numbers of one workspace, in the same order. */
export async function withNames(
  database: Database,
  { id: workspaceId }: Owner,
  numbers: readonly SharedNumber[],
): Promise<(SharedNumber & NumberNames)[]> {
  const flowIds = [...new Set(numbers.flatMap(({ call_flow_id }) => call_flow_id ?? []))]
  const teamIds = [...new Set(numbers.flatMap(({ shared_teams_id }) => shared_teams_id))]
  const named = async (sql: string, ids: readonly string[]) => {
    if (ids.length === 0) return new Map<string, string>()
    const rows = await database.source.query<{ id: string; name: string }[]>(sql, [workspaceId, ids])
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const [flows, teams] = await Promise.all([
    named('SELECT id, title AS name FROM call_flows WHERE workspace_id = ? AND id IN (?)', flowIds),
    named('SELECT id, title AS name FROM teams WHERE workspace_id = ? AND id IN (?)', teamIds),
  ])
  return numbers.map((number) => ({
    ...number,
    call_flow_title: flows.get(number.call_flow_id ?? '') ?? null,
    shared_team_names: number.shared_teams_id.flatMap((id) => teams.get(id) ?? []),
  }))
}
