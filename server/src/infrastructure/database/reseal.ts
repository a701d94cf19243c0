/** Seals all secrets with the current key. What is done shows in each row, so that it can be cut short at any point. */
import type { Database } from './database.js'
import { sealedColumns } from './sealed-columns.js'
import type { SealedColumn } from './sealed-columns.js'
import type { SecretBox } from './secrets.js'

const batch = 200

const mostWalks = 20

export interface Resealed {
  sealed: number
  /** Sealed with a key that is lost: they stay as they are. */
  unreadable: number
}

/**
 * Reseals all secrets with the current key. Servers may write meanwhile; those that still seal with an old key must get the
 * new one first. A row that they were just writing may be behind the walk, so it is repeated until it finds nothing.
 * @param report called for each batch that is done
 */
export async function resealAll(
  database: Database,
  secrets: SecretBox,
  report: (column: string, rows: number) => void,
): Promise<Resealed> {
  let sealed = 0
  for (let walk = 1; walk <= mostWalks; walk++) {
    const found = await walkAll(database, secrets, report)
    sealed += found.sealed
    if (found.sealed === 0) return { sealed, unreadable: found.unreadable }
  }
  throw new Error('a server still seals with an old key')
}

async function walkAll(
  database: Database,
  secrets: SecretBox,
  report: (column: string, rows: number) => void,
): Promise<Resealed> {
  const total = { sealed: 0, unreadable: 0 }
  for (const column of sealedColumns) {
    for (let after = ''; ;) {
      const rows = await nextRows(database, secrets, column, after)
      for (const row of rows) {
        const text = reopened(secrets, column, row)
        if (text === null) total.unreadable++
        else if (await replace(database, column, row, text)) total.sealed++
      }
      if (rows.length > 0) report(`${column.table}.${column.column}`, rows.length)
      if (rows.length < batch) break
      after = rows.at(-1)?.id ?? ''
    }
  }
  return total
}

interface Row {
  id: string
  text: string
}

async function nextRows(
  database: Database,
  secrets: SecretBox,
  of: SealedColumn,
  after: string,
): Promise<Row[]> {
  return database.source.query(
    `SELECT ${of.id} AS id, ${of.column} AS text FROM ${of.table}
      WHERE ${of.id} > ? AND ${of.column} IS NOT NULL AND LEFT(${of.column}, ?) <> ?
      ORDER BY ${of.id} LIMIT ${String(batch)}`,
    [after, secrets.prefix.length, secrets.prefix],
  )
}

/** Resealed, or null if none of our keys opens it. */
function reopened(secrets: SecretBox, { purpose }: SealedColumn, { id, text }: Row): string | null {
  try {
    return secrets.seal(secrets.open(text, purpose(id)), purpose(id))
  } catch {
    return null
  }
}

/** Whether it was still what was read: a secret that was changed meanwhile is sealed with the new key already. */
async function replace(database: Database, of: SealedColumn, row: Row, text: string): Promise<boolean> {
  const answer: { affectedRows: number } = await database.source.query(
    `UPDATE ${of.table} SET ${of.column} = ? WHERE ${of.id} = ? AND ${of.column} = ?`,
    [text, row.id, row.text],
  )
  return answer.affectedRows > 0
}
