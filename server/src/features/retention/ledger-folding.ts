/**
 * Carries old entries of the ledger forward: they become one entry with their sum, so that the balance is still the sum
 * of all entries, and each entry's running balance that of those before it. Entries are folded in the order in which they
 * were booked; the new entry has the sequence of the last of them.
 */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { AgingRows, Step } from './aging-rows.js'

const foldedAtOnce = 1_000

interface Row {
  id: string
  amount: string
  balance: string
  sequence: number | null
  created_at: Date
}

/** Those that have no sequence were booked before all that have one. */
export const unnumberedEntries = `SELECT id, amount, balance, sequence, created_at FROM credit_entries
  FORCE INDEX (credit_entries_by_sequence)
  WHERE workspace_id = ? AND sequence IS NULL AND reason <> 'carried_forward' AND created_at < ?
  LIMIT ${foldedAtOnce} FOR UPDATE`

export const numberedEntries = `SELECT id, amount, balance, sequence, created_at FROM credit_entries
  FORCE INDEX (credit_entries_by_sequence)
  WHERE workspace_id = ? AND sequence IS NOT NULL AND reason <> 'carried_forward'
  ORDER BY sequence LIMIT ${foldedAtOnce} FOR UPDATE`

export class LedgerFolding implements AgingRows {
  readonly kind = 'ledger'
  readonly name = 'credit_entries'

  constructor(private readonly database: Database) {}

  async step(workspaceId: string | null, before: Date): Promise<Step> {
    if (workspaceId === null) return { next: null, deleted: 0 }
    const rows = await this.database.transaction(async (tx) => this.fold(tx, workspaceId, before))
    const last = rows.at(-1)
    return { next: rows.length < foldedAtOnce || !last ? null : last, deleted: rows.length }
  }

  private async fold(tx: EntityManager, workspaceId: string, before: Date): Promise<Row[]> {
    const rows = await oldEntries(tx, workspaceId, before)
    const last = rows.at(-1)
    if (!last) return []
    await tx.query('DELETE FROM credit_entries WHERE id IN (?)', [rows.map(({ id }) => id)])
    const sum = rows.reduce((total, { amount }) => total + microsOf(amount), 0n)
    const amount = usdOf(sum)
    const latest = rows.reduce(
      (time, { created_at }) => (created_at > time ? created_at : time),
      last.created_at,
    )
    const note = `Carried forward to ${latest.toISOString().slice(0, 10)}`
    await tx.query(
      `INSERT INTO credit_entries
         (id, workspace_id, amount, balance, reason, reference, note, sequence, created_at)
       VALUES (?, ?, ?, ?, 'carried_forward', ?, ?, ?, ?)
       ON DUPLICATE KEY UPDATE amount = amount + VALUES(amount), balance = VALUES(balance), note = VALUES(note),
         sequence = VALUES(sequence), created_at = GREATEST(created_at, VALUES(created_at))`,
      [newId('cr'), workspaceId, amount, last.balance, workspaceId, note, last.sequence, latest],
    )
    return rows
  }
}

/** Numbered ones follow when there are no others: the running balance has no gap. */
async function oldEntries(tx: EntityManager, workspaceId: string, before: Date): Promise<Row[]> {
  const unnumbered = await tx.query<Row[]>(unnumberedEntries, [workspaceId, before])
  if (unnumbered.length > 0) return unnumbered
  const numbered = await tx.query<Row[]>(numberedEntries, [workspaceId])
  const end = numbered.findIndex(({ created_at }) => created_at >= before)
  return end === -1 ? numbered : numbered.slice(0, end)
}

/** Of a DECIMAL with six decimals, as the database writes it. */
function microsOf(usd: string): bigint {
  return BigInt(usd.replace('.', ''))
}

function usdOf(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
