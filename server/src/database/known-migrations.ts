/** A server must not work on tables that a newer one has made: it would misread them, and write what is no more read. */
import type { Database } from './database.js'
import { migrations } from './migrations/index.js'

/** @throws when the database has seen a migration that this version does not know */
export async function refuseNewerTables({ source }: Database): Promise<void> {
  const [table] = await source.query<unknown[]>("SHOW TABLES LIKE 'migrations'")
  if (table === undefined) return
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp')
  const known = new Set<string>(migrations.map(({ name }) => name))
  const newer = rows.filter(({ name }) => !known.has(name))
  if (newer.length === 0) return
  throw new Error(
    `the database is of a newer version of Jackfield (${newer.at(-1)?.name ?? ''}): start that version, or restore the backup from before its upgrade`,
  )
}
