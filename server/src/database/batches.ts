import type { Database } from './database.js'

/** Rows removed by one statement: few enough that nobody waits long for their locks. */
const batch = 1_000

/**
 * Deletes all rows of a table that match, a batch at a time.
 * @param condition SQL with `?` for each parameter; an index must serve it
 */
export async function deleteInBatches(
  database: Database,
  table: string,
  condition: string,
  parameters: readonly unknown[],
): Promise<void> {
  const statement = `DELETE FROM ${table} WHERE ${condition} LIMIT ${batch}`
  for (;;) {
    const { affectedRows } = await database.source.query<{ affectedRows: number }>(statement, [...parameters])
    if (affectedRows < batch) return
  }
}
