/** Deletes calls that have ended, with all that belongs to them. Their usage and what was charged for them stay. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { detachEntries, keepUsageOfCalls } from './usage-days.js'

/** Tables of what belongs to a call, by its id; its legs go last, as its usage is added up from them. */
export const tablesOfCalls = [
  ...(['call_events', 'call_dialogue', 'call_streams', 'voice_agent_sessions'] as const),
  ...(['team_calls', 'queue_entries', 'queue_waits', 'call_offers', 'missed_calls', 'call_legs'] as const),
] as const

/** Rows of a table that one statement deletes in advance: few enough that no lock is held for long. */
const trimmedAtOnce = 1_000

/** What was deleted, by table. */
export type Deleted = Record<string, number>

interface Parts {
  database: Database
  /** Deletes the recordings of calls, and their files a moment later. @returns how many */
  deleteRecordings: (tx: EntityManager, workspace: Owner, callIds: readonly string[]) => Promise<number>
  /** For how long captured SIP may be kept, in milliseconds. */
  captureKeptMs: number
}

export class CallRemoval {
  constructor(private readonly parts: Parts) {}

  /**
   * Deletes calls in small steps: what belongs to them first, a bounded number of rows at a time; then themselves. The
   * next removal completes one that breaks off.
   * @param ids of few calls; live ones, and those of other workspaces, are left alone
   * @param withRecordings false: recordings stay for their own retention time
   */
  async remove(workspace: Owner, ids: readonly string[], withRecordings: boolean): Promise<Deleted> {
    const { database } = this.parts
    const ended = await database.source.query<{ id: string }[]>(
      'SELECT id FROM calls WHERE id IN (?) AND workspace_id = ? AND live IS NULL',
      [ids, workspace.id],
    )
    const own = ended.map(({ id }) => id)
    if (own.length === 0) return {}
    const trimmed = await this.trim(own)
    const deleted = await database.transaction(async (tx) =>
      this.removeIn(tx, workspace, own, withRecordings),
    )
    return sumOf(trimmed, deleted)
  }

  /** Deletes calls in a transaction, with all that belongs to them. */
  async removeIn(
    tx: EntityManager,
    workspace: Owner,
    ids: readonly string[],
    withRecordings: boolean,
  ): Promise<Deleted> {
    const locked = await tx.query<{ id: string }[]>(
      'SELECT id FROM calls WHERE id IN (?) AND workspace_id = ? AND live IS NULL ORDER BY id FOR UPDATE',
      [ids, workspace.id],
    )
    const own = locked.map(({ id }) => id)
    if (own.length === 0) return {}
    const deleted: Deleted = {}
    if (withRecordings) deleted['recordings'] = await this.parts.deleteRecordings(tx, workspace, own)
    await this.forgetSip(tx, own)
    await keepUsageOfCalls(tx, own)
    await detachEntries(tx, ['call'], own)
    for (const table of tablesOfCalls) {
      const { affectedRows } = await tx.query<{ affectedRows: number }>(
        `DELETE FROM ${table} WHERE call_id IN (?)`,
        [own],
      )
      deleted[table] = affectedRows
    }
    await tx.query('DELETE FROM calls WHERE id IN (?)', [own])
    return { ...deleted, calls: own.length }
  }

  /** Has the captured SIP of the calls removed, as long as some may be kept: see `CaptureRemovals`. */
  private async forgetSip(tx: EntityManager, ids: readonly string[]): Promise<void> {
    const now = new Date()
    await tx.query(
      `INSERT INTO sip_capture_removals (sip_call_id, created_at)
       SELECT DISTINCT COALESCE(leg.sip_call_id, leg.channel_id), ? FROM call_legs leg
       JOIN calls ON calls.id = leg.call_id
       WHERE leg.call_id IN (?) AND COALESCE(calls.ended_at, calls.created_at) > ?`,
      [now, ids, new Date(now.getTime() - this.parts.captureKeptMs)],
    )
  }

  private async trim(ids: readonly string[]): Promise<Deleted> {
    const deleted: Deleted = {}
    for (const table of tablesOfCalls) {
      if (table === 'call_legs') continue
      for (let count = trimmedAtOnce; count === trimmedAtOnce;) {
        const { affectedRows } = await this.parts.database.source.query<{ affectedRows: number }>(
          `DELETE FROM ${table} WHERE call_id IN (?) LIMIT ${trimmedAtOnce}`,
          [ids],
        )
        count = affectedRows
        deleted[table] = (deleted[table] ?? 0) + count
      }
    }
    return deleted
  }
}

export function sumOf(...all: readonly Deleted[]): Deleted {
  const sum: Deleted = {}
  for (const one of all)
    for (const [table, count] of Object.entries(one)) sum[table] = (sum[table] ?? 0) + count
  return sum
}
