/** Queues as rows: what a restart leaves. */
import { EventEmitter } from 'node:events'
import type { Database } from '../../database/database.js'
import type { Owner } from '../../database/workspace-table.js'
import { Call } from '../call.entity.js'
import { QueueEntry } from './queue-entry.entity.js'

/** A caller who waits, as administrators see them. */
export interface WaitingCaller {
  call_id: string
  entered_at: Date
  /** The other party of the call's line. */
  number: string
  name: string
}

interface QueueStoreEvents {
  /** A call has taken a place, or has left it. */
  changed: [workspaceId: string, callId: string]
}

export class QueueStore extends EventEmitter<QueueStoreEvents> {
  constructor(private readonly database: Database) {
    super()
  }

  /** @throws when the team has been deleted */
  async add(entry: QueueEntry): Promise<void> {
    await this.entries.upsert(entry, ['call_id'])
    this.emit('changed', entry.workspace_id, entry.call_id)
  }

  /** The call may have a place elsewhere by now: that one stays. */
  async remove({ call_id, workspace_id, team_id, entered_at }: QueueEntry): Promise<void> {
    await this.entries.delete({ call_id, team_id, entered_at })
    this.emit('changed', workspace_id, call_id)
  }

  /** Entries of calls that live, first come first; those of others are removed. */
  async live(): Promise<QueueEntry[]> {
    await this.database.source.query(
      `DELETE entry FROM queue_entries entry JOIN calls ON calls.id = entry.call_id WHERE calls.live IS NULL`,
    )
    return this.entries.find({ order: { entered_at: 'ASC', call_id: 'ASC' } })
  }

  /** Who waits for a team, first come first. */
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

  private get entries() {
    return this.database.platformTable(QueueEntry)
  }
}
