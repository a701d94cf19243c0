/** Other cells that work on the tables: these must not be migrated under them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../infrastructure/database/database.js'
import { deadAfterMs } from './cell-lease.js'

/** Longer than from one beat to the next. */
const againMs = 2_000

/** Other cells were heard of in the last seconds. */
export class OthersLiveError extends Error {
  constructor(names: readonly string[]) {
    super(
      `cells live on the same database, whose tables would be migrated under them: ${names.join(', ')}. Stop them first (npm run down on their machines), then start this one, and the others from the new version`,
    )
  }
}

/**
 * Waits until cells that have just stopped are silent.
 * @param own name of the cell that is about to migrate
 * @throws {OthersLiveError} when one of the others still sends heartbeats
 */
export async function refuseUnderOthers({ source }: Database, own: string): Promise<void> {
  const [table] = await source.query<unknown[]>("SHOW TABLES LIKE 'cells'")
  // The first machine of a new installation is alone.
  if (table === undefined) return
  const young = async () =>
    source.query<{ name: string; beat_at: Date }[]>(
      `SELECT name, beat_at FROM cells
       WHERE name <> ? AND beat_at > UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND ORDER BY name`,
      [own, deadAfterMs * 1_000],
    )
  const first = new Map((await young()).map(({ name, beat_at }) => [name, beat_at.getTime()]))
  // A cell without a heartbeat for this time is silent, even if the clock was set and its last one seems recent.
  const until = performance.now() + deadAfterMs
  for (let left = first.size; left > 0 && performance.now() < until;) {
    await sleep(againMs)
    const now = await young()
    const living = now.filter(({ name, beat_at }) => first.get(name) !== beat_at.getTime())
    if (living.length > 0) throw new OthersLiveError(living.map(({ name }) => name))
    left = now.length
  }
}
