/** Rows of cells that are taken for dead: which server handles one, and that it does not come back meanwhile. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Cell } from './cell.entity.js'

/** A cell as it was when it was found dead. */
export interface SuspectCell extends Pick<Cell, 'name' | 'beat_at'> {
  /** True if its server lives (it is this one, or another of this cell), and only the switch does not. */
  readonly is_own: 0 | 1
}

/** A server that claimed a dead cell and has not finished after so many seconds is presumed dead, too. */
const leaseSeconds = 30

/** Claims a dead cell for this server. @returns false if it lives again, or another server handles it */
export async function claimDeadCell(database: Database, cell: SuspectCell): Promise<boolean> {
  const dead = whileDead(cell)
  const { affectedRows } = await database.source.query<{ affectedRows: number }>(
    `UPDATE cells SET undertaken_at = UTC_TIMESTAMP(3), is_up = FALSE WHERE ${dead.text}
       AND (undertaken_at IS NULL OR undertaken_at < UTC_TIMESTAMP(3) - INTERVAL ? SECOND)`,
    [...dead.values, leaseSeconds],
  )
  return affectedRows === 1
}

/** @returns false if the cell lives again */
export async function isStillDead(database: Database, cell: SuspectCell): Promise<boolean> {
  const dead = whileDead(cell)
  const rows = await database.source.query<unknown[]>(`SELECT 1 FROM cells WHERE ${dead.text}`, dead.values)
  return rows.length > 0
}

/**
 * Blocks the heartbeat of a claimed cell until the transaction ends; its server checks ownership of whatever it places
 * after that. This writes the row instead of locking it: Galera does not replicate locks to other nodes.
 * @returns false if the cell lives again
 */
export async function keepDead(tx: EntityManager, cell: SuspectCell): Promise<boolean> {
  const dead = whileDead(cell)
  const { affectedRows } = await tx.query<{ affectedRows: number }>(
    `UPDATE cells SET undertaken_at = GREATEST(UTC_TIMESTAMP(3), undertaken_at + INTERVAL 1000 MICROSECOND)
     WHERE ${dead.text} AND undertaken_at IS NOT NULL`,
    dead.values,
  )
  return affectedRows === 1
}

/**
 * Matches the row of a cell unless it lives again: its heartbeat has changed or, for the own cell, any server has the
 * switch.
 */
function whileDead({ name, beat_at, is_own }: SuspectCell): { text: string; values: unknown[] } {
  return is_own
    ? { text: 'name = ? AND NOT is_up', values: [name] }
    : { text: 'name = ? AND beat_at = ?', values: [name, beat_at] }
}
