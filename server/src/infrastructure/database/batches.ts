import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.js'

/** Rows removed by one statement: few enough that no other waits long for their locks. */
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
  let begun = performance.now()
  for await (const deleted of deletedBatches(database, table, condition, parameters)) {
    if (deleted < batch) return
    await restAfter(begun)
    begun = performance.now()
  }
}

/** The same without rests. @yields how many rows each batch had */
export async function* deletedBatches(
  database: Database,
  table: string,
  condition: string,
  parameters: readonly unknown[],
): AsyncGenerator<number> {
  const statement = `DELETE FROM ${table} WHERE ${condition} LIMIT ${batch}`
  for (;;) {
    const { affectedRows } = await database.source.query<{ affectedRows: number }>(statement, [...parameters])
    yield affectedRows
    if (affectedRows < batch) return
  }
}

/**
 * Rests after each step of long work, for as long as the step took: other workspaces hardly notice.
 * @throws the signal's reason after the step during which it was aborted
 */
export async function* withRests<T>(steps: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  let begun = performance.now()
  for await (const step of steps) {
    yield step
    signal.throwIfAborted()
    await restAfter(begun)
    begun = performance.now()
  }
}

/** Rests for as long as the work since `begun` (of `performance.now`) took. */
export async function restAfter(begun: number): Promise<void> {
  await sleep(Math.min(performance.now() - begun, longestRestMs))
}
