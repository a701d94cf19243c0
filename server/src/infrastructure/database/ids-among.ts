import type { Database } from './database.js'
import type { Owner } from './workspace-table.js'

/** Which of some ids are those of a workspace's rows in a table. */
export async function idsAmong(
  database: Database,
  table: string,
  workspace: Owner,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows: { id: string }[] = await database.source.query(
    `SELECT id FROM ${table} WHERE workspace_id = ? AND id IN (?)`,
    [workspace.id, ids],
  )
  return new Set(rows.map(({ id }) => id))
}
