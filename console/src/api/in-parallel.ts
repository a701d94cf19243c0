/** One request for each of many rows, a few at a time. The client itself waits where there are too many requests. */

/** Requests at once: they hide the latency, and burden the server little. */
const atOnce = 4

export interface Failure<Row> {
  row: Row
  error: unknown
}

interface RunOptions {
  /** Called after each row. */
  progress?: (done: number) => void
  /** Stops before the next row. */
  signal?: AbortSignal
}

/** Runs work for each row, in order. One that fails stops no other. */
export async function forEachRow<Row>(
  rows: readonly Row[],
  run: (row: Row) => Promise<unknown>,
  { progress, signal }: RunOptions = {},
): Promise<{ failures: Failure<Row>[]; untried: Row[] }> {
  const failures: Failure<Row>[] = []
  const untried: Row[] = []
  let done = 0
  const left = rows[Symbol.iterator]()
  async function work(): Promise<void> {
    // The workers share the iterator: each takes the next row when it has done its last.
    for (const row of left) {
      if (signal?.aborted) {
        untried.push(row)
        continue
      }
      try {
        await run(row)
      } catch (error) {
        failures.push({ row, error })
      }
      progress?.(++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { failures, untried }
}
