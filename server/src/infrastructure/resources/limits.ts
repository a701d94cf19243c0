/**
 * How many of a thing a workspace may hold. `row_counts` has a number for each kind that is never less than its rows: who
 * creates one raises it, and who deletes one may lower it. Rows are counted only where that number is at the limit, or old.
 */
import type { EntityManager } from 'typeorm'
import type { Owner, WorkspaceRow, WorkspaceTable } from '../database/workspace-table.js'
import { forbidden } from '../http/errors.js'

export interface CountLimit {
  max: number
  /** What is counted, in the plural: `phone numbers`. */
  what: string
}

/** Rows that came or went by themselves, such as by hand, are noticed after this time, in milliseconds. */
const countedEveryMs = 24 * 3_600_000

/**
 * Lets a transaction that has inserted one row go on only within the limit. The number stays locked until the transaction
 * ends, so that requests that race never end with one too many: it comes last, as others wait meanwhile.
 * @throws 403 at the limit
 */
export async function checkLimit<E extends WorkspaceRow>(
  tx: EntityManager,
  table: WorkspaceTable<E>,
  workspace: Owner,
  { max, what }: CountLimit,
): Promise<void> {
  const key = [workspace.id, table.name]
  const now = new Date()
  const { affectedRows } = await tx.query<{ affectedRows: number }>(
    'UPDATE row_counts SET held = held + 1 WHERE workspace_id = ? AND name = ? AND held < ? AND counted_at > ?',
    [...key, max, new Date(now.getTime() - countedEveryMs)],
  )
  if (affectedRows === 1) return
  // Locks the number, whether it is there or not.
  await tx.query(
    `INSERT INTO row_counts (workspace_id, name, held, counted_at) VALUES (?, ?, 0, ?)
     ON DUPLICATE KEY UPDATE counted_at = VALUES(counted_at)`,
    [...key, now],
  )
  const held = await table.in(tx).count(workspace)
  if (held > max) throw forbidden(`The workspace holds ${max} ${what} already`)
  await tx.query('UPDATE row_counts SET held = ? WHERE workspace_id = ? AND name = ?', [held, ...key])
}

/** Gives the place of a row back that a transaction has deleted. */
export async function freePlace(tx: EntityManager, table: string, workspace: Owner): Promise<void> {
  await tx.query('UPDATE row_counts SET held = held - 1 WHERE workspace_id = ? AND name = ? AND held > 0', [
    workspace.id,
    table,
  ])
}
