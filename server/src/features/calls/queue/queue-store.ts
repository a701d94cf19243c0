/** Queues as rows, which survive a restart. */
import { EventEmitter } from 'node:events'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { deadAfterMs } from '../../cells/cell-lease.js'
import { Call } from '../model/call.entity.js'
import { IsNull } from 'typeorm'
import { QueueEntry } from './queue-entry.entity.js'
import { QueueWait, type WaitResult } from '../model/queue-wait.entity.js'

/** A caller who waits, as administrators see them. */
export interface WaitingCaller {
  call_id: string
  entered_at: Date
  /** The number of the script leg's party. */
  number: string
  name: string
}

/** The most callers of other cells that are counted. */
const mostElsewhere = 1_000

interface QueueStoreEvents {
  /** A call has entered a queue, or has left it. */
  changed: [workspaceId: string, callId: string]
}

export class QueueStore extends EventEmitter<QueueStoreEvents> {
  constructor(
    private readonly database: Database,
    /** The cell that this server belongs to. */
    private readonly cell: string,
  ) {
    super()
  }

  /** @throws when the team has been deleted */
  async add(entry: QueueEntry): Promise<void> {
    const { call_id, workspace_id, team_id, entered_at } = entry
    const wait = { call_id, workspace_id, team_id, entered_at, left_at: null, result: null }
    await this.database.transaction(async (tx) => {
      await tx.getRepository(QueueEntry).upsert(entry, ['call_id'])
      await tx.getRepository(QueueWait).upsert(wait, ['call_id', 'team_id', 'entered_at'])
    })
    this.emit('changed', entry.workspace_id, entry.call_id)
  }

  /** Leaves another entry of the call alone: it may be in another queue by now. */
  async remove(
    { call_id, workspace_id, team_id, entered_at }: QueueEntry,
    result: WaitResult,
  ): Promise<void> {
    const own = { call_id, team_id, entered_at }
    await this.entries.delete(own)
    await this.waits.update({ ...own, left_at: IsNull() }, { left_at: new Date(), result })
    this.emit('changed', workspace_id, call_id)
  }

  /** Lets other cells know whether members are being rung for a caller. */
  async setOffered({ call_id }: QueueEntry, isOffered: boolean): Promise<void> {
    await this.entries.update(call_id, { is_offered: isOffered })
  }

  /** Callers of other live cells who wait for a team and are not being offered to members, oldest first. */
  async elsewhere(teamId: string): Promise<Pick<QueueEntry, 'entered_at' | 'call_id'>[]> {
    return this.database.source.query(
      `SELECT entry.entered_at, entry.call_id FROM queue_entries entry
       JOIN calls ON calls.id = entry.call_id AND calls.live = 1 AND calls.cell <> ?
       JOIN cells ON cells.name = calls.cell AND cells.is_up
         AND cells.beat_at > UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND
       WHERE entry.team_id = ? AND NOT entry.is_offered
       ORDER BY entry.entered_at, entry.call_id LIMIT ${mostElsewhere}`,
      [this.cell, deadAfterMs * 1_000, teamId],
    )
  }

  /** Removes ended calls from all queues. */
  async removeEnded(): Promise<void> {
    await this.database.source.query(
      `DELETE entry FROM queue_entries entry JOIN calls ON calls.id = entry.call_id WHERE calls.live IS NULL`,
    )
  }

  /** Entries of live calls of this cell, oldest first; removes those of ended calls. */
  async live(): Promise<QueueEntry[]> {
    await this.removeEnded()
    return this.entries
      .createQueryBuilder('entry')
      .innerJoin(Call, 'call', 'call.id = entry.call_id AND call.cell = :cell', { cell: this.cell })
      .orderBy('entry.entered_at')
      .addOrderBy('entry.call_id')
      .getMany()
  }

  /** The callers who wait for a team, oldest first. */
  async waiting(workspace: Owner, teamId: string): Promise<WaitingCaller[]> {
    return this.entries
      .createQueryBuilder('entry')
      .innerJoin(Call, 'call', 'call.id = entry.call_id AND call.live = 1')
      .select('entry.call_id', 'call_id')
      .addSelect('entry.entered_at', 'entered_at')
      .addSelect("IF(call.line = 'called', call.to_number, call.from_number)", 'number')
      .addSelect("IF(call.line = 'called', call.to_name, call.from_name)", 'name')
      .where({ workspace_id: workspace.id, team_id: teamId })
      .orderBy('entry.entered_at')
      .addOrderBy('entry.call_id')
      .getRawMany<WaitingCaller>()
  }

  private get waits() {
    return this.database.platformTable(QueueWait)
  }

  private get entries() {
    return this.database.platformTable(QueueEntry)
  }
}
