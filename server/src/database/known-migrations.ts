/** A server must not work on tables that a newer one has made: it would misread them, and write what is no more read. */
import type { Database } from './database.js'
import { migrations } from './migrations/index.js'

/** @throws when the database has seen a migration that this version does not know */
export async function refuseNewerTables(database: Database): Promise<void> {
  const known = new Set<string>(migrations.map(({ name }) => name))
  const newer = (await doneIn(database)).filter((name) => !known.has(name))
  if (newer.length === 0) return
  throw new Error(
    `the database is of a newer version of Jackfield (${newer.at(-1) ?? ''}): start that version, or restore the backup from before its upgrade`,
  )
}

/** Whether the database has not seen all migrations of this version. */
export async function needsMigration(database: Database): Promise<boolean> {
  const done = new Set(await doneIn(database))
  return migrations.some(({ name }) => !done.has(name))
}

/** Their names, the last in the end. */
async function doneIn({ source }: Database): Promise<string[]> {
  const [table] = await source.query<unknown[]>("SHOW TABLES LIKE 'migrations'")
  if (table === undefined) return []
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp')
  return rows.map(({ name }) => name)
}
