/** Walks through all rows of a workspace in the order of their age, a page at a time: no statement reads more than one. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { type Cursor, oldRowsQuery } from '../aging-rows.js'

interface Walked {
  table: string
  index: string
  /** Read beside the id. */
  columns: readonly string[]
  rows: number
}

export async function* walk<R extends object>(
  database: Database,
  workspace: Owner,
  { rows: limit, ...walked }: Walked,
): AsyncGenerator<(R & Cursor)[]> {
  // What comes while it walks is of after the request.
  const end = new Date(Date.now() + 1_000)
  for (let after: Cursor | null = null; ;) {
    const page: (R & Cursor)[] = await database.source.query(
      ...oldRowsQuery(walked, workspace.id, end, after, limit),
    )
    if (page.length > 0) yield page
    if (page.length < limit) return
    after = page.at(-1) ?? null
  }
}

/** The same in the order of a key, for rows without an index of their age; the key is read as `id`. */
export async function* walkByKey<R extends object>(
  database: Database,
  workspace: Owner,
  key: string,
  { table, index, columns, rows: limit }: Walked,
): AsyncGenerator<(R & { id: string })[]> {
  for (let after = ''; ;) {
    const page: (R & { id: string })[] = await database.source.query(
      `SELECT ${[`${key} AS id`, ...columns].join(', ')} FROM ${table} FORCE INDEX (${index})
       WHERE workspace_id = ? AND ${key} > ? ORDER BY ${key} LIMIT ?`,
      [workspace.id, after, limit],
    )
    if (page.length > 0) yield page
    if (page.length < limit) return
    after = page.at(-1)?.id ?? ''
  }
}

/** A list in pieces. */
export function piecesOf<T>(list: readonly T[], length: number): T[][] {
  const count = Math.ceil(list.length / length)
  return Array.from({ length: count }, (_, index) => list.slice(index * length, (index + 1) * length))
}
