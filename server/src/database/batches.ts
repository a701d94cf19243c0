import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'

/** Rows removed by one statement: few enough that nobody waits long for their locks. */
const batch = 1_000

const longestRestMs = 2_000

/**
 * Deletes all rows of a table that match, a batch at a time. Between two batches it rests for as long as the last one took.
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
    const begun = performance.now()
    const { affectedRows } = await database.source.query<{ affectedRows: number }>(statement, [...parameters])
    if (affectedRows < batch) return
    await sleep(Math.min(performance.now() - begun, longestRestMs))
  }
}
