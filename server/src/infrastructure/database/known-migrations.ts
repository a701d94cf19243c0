/**
 * A server must not work on tables that a newer one has made: it would misread them, and write what is no longer read. Nor on
 * tables that only some of the migrations before the baseline have made, as it cannot complete them.
 */
import type { Database } from './database.js'
import { Baseline1790000001000 as Baseline } from './migrations/1000-baseline.js'
import { beforeBaseline, lastBeforeBaseline } from './migrations/before-baseline.js'
import { migrations } from './migrations/index.js'

const replaced: ReadonlySet<string> = new Set(beforeBaseline)

/** @throws when this version cannot work on the database, or bring it up to date */
export async function refuseUnknownTables(database: Database): Promise<void> {
  const done = await doneIn(database)
  const newer = newestUnknown(done)
  if (newer !== undefined)
    throw new Error(
      `the database is of a newer version of Jackfield (${newer}): start that version, or restore the backup from before its upgrade`,
    )
  const problem = incompleteBefore(done)
  if (problem !== undefined) throw new Error(`the database ${problem}`)
}

/**
 * @param done names of the migrations of a database, oldest first
 * @returns the newest one that this version does not know
 */
export function newestUnknown(done: readonly string[]): string | undefined {
  const known = new Set<string>(migrations.map(({ name }) => name))
  return done.filter((name) => !known.has(name) && !replaced.has(name)).at(-1)
}

/**
 * @param done names of the migrations of a database, oldest first
 * @returns what is wrong, as the predicate of a sentence, where it has seen only some of the migrations before the baseline
 */
export function incompleteBefore(done: readonly string[]): string | undefined {
  const seen = done.filter((name) => replaced.has(name))
  if (seen.length === 0 || seen.length === replaced.size) return undefined
  return `is too old for this version (its last migration is ${seen.at(-1) ?? ''}): upgrade it to commit ${lastBeforeBaseline.slice(0, 12)} first, then to this version`
}

/** Whether the database has not seen all migrations of this version. */
export async function needsMigration(database: Database): Promise<boolean> {
  const done = new Set(await doneIn(database))
  return migrations.some(({ name }) => !done.has(name))
}

/**
 * Has a database that the migrations before the baseline made count as being at the baseline: its tables are the same. Call
 * {@link refuseUnknownTables} first. Changes nothing in other databases.
 * @returns whether it did
 */
export async function adoptBaseline(database: Database): Promise<boolean> {
  const done = await doneIn(database)
  if (!done.some((name) => replaced.has(name))) return false
  await database.source.transaction(async (tx) => {
    await tx.query('DELETE FROM migrations WHERE name IN (?)', [beforeBaseline])
    const { name } = Baseline
    await tx.query('INSERT INTO migrations (timestamp, name) VALUES (?, ?)', [name.slice(-13), name])
  })
  return true
}

/** Their names, the last in the end. */
async function doneIn({ source }: Database): Promise<string[]> {
  const [table] = await source.query<unknown[]>("SHOW TABLES LIKE 'migrations'")
  if (table === undefined) return []
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp')
  return rows.map(({ name }) => name)
}
