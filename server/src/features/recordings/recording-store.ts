/** The rows of recordings through their life. Each change is made once, by the first one to write it. */
import { type EntityManager, type FindOptionsWhere, In, MoreThan } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { grouped } from '../../lib/grouped.js'
import { addBytes } from '../workspaces/kept-bytes.js'
import { addJob } from '../../infrastructure/database/outbox.js'
import type { Announcements } from './announcements.js'
import type { StorageKind } from '../../infrastructure/storage/storage.js'
import type { Recording } from './recording.entity.js'
import { Recording as RecordingRow } from './recording.entity.js'

/** The kind of outbox job that converts and stores a recording. */
export const storeJob = 'store_recording'

/** The kind of outbox job that removes files from the storage. */
export const removeJob = 'remove_recordings'

export interface StorePayload {
  recording_id: string
  /** Under which it is stored. */
  key: string
}

export interface RemovePayload {
  files: { storage: StorageKind; key: string }[]
}

/** Files that one job removes. */
const filesPerJob = 500

const running = ['recording', 'paused'] as const

export class RecordingStore {
  constructor(
    private readonly database: Database,
    private readonly announcements: Pick<Announcements, 'completed' | 'paused'>,
    /** The cell that this server belongs to: its switch writes to its own disk. */
    readonly cell: string,
    /** In the transaction that marks a voicemail as failed: there is nothing to listen to. */
    private readonly voicemailLost: (tx: EntityManager, voicemail: Recording) => Promise<void>,
  ) {}

  async insert(recording: Recording): Promise<void> {
    await this.table.insert(recording)
  }

  async load(id: string): Promise<Recording | null> {
    return this.table.findOneBy({ id })
  }

  /** Those that the switch of this cell is writing, as far as we know, in the order of their ids. */
  async running(after: string, limit: number): Promise<Recording[]> {
    return this.table
      .createQueryBuilder('row')
      .where({ status: In([...running]), id: MoreThan(after) })
      .andWhere('(SELECT cell FROM calls WHERE id = row.call_id) = :cell', { cell: this.cell })
      .orderBy('row.id')
      .take(limit)
      .getMany()
  }

  /** The cell of the call that is recorded; null for no such recording. */
  async cellOf(id: string): Promise<string | null> {
    const [row] = await this.database.source.query<{ cell: string }[]>(
      'SELECT calls.cell FROM recordings JOIN calls ON calls.id = recordings.call_id WHERE recordings.id = ?',
      [id],
    )
    return row?.cell ?? null
  }

  /** Whether anything of a call is recorded, or was. */
  async hasAny(call: { id: string; workspace_id: string }): Promise<boolean> {
    return this.table.existsBy({ workspace_id: call.workspace_id, call_id: call.id })
  }

  /** What is recorded of a call now. */
  async runningOf(call: { id: string; workspace_id: string }): Promise<Recording[]> {
    return this.table.find({
      where: { workspace_id: call.workspace_id, call_id: call.id, status: In([...running]) },
      order: { id: 'ASC' },
    })
  }

  /** The latest recording of a call that was begun on this channel. */
  async lastOn(call: { id: string; workspace_id: string }, channelId: string): Promise<Recording | null> {
    return this.table.findOne({
      where: { workspace_id: call.workspace_id, call_id: call.id, kind: 'call', channel_id: channelId },
      order: { id: 'DESC' },
    })
  }

  /** @param agentId the agent who asked for it; null: an API key */
  async setPaused(recording: Recording, paused: boolean, agentId: string | null): Promise<void> {
    const [from, to] = paused ? (['recording', 'paused'] as const) : (['paused', 'recording'] as const)
    await this.database.transaction(async (tx) => {
      const { affected } = await tx.update(RecordingRow, { id: recording.id, status: from }, { status: to })
      if (affected === 1) await this.announcements.paused(tx, recording, paused, agentId)
    })
  }

  /** The switch has finished writing: from now on the outbox processes the recording. */
  async finish(recording: Recording, at: Date): Promise<void> {
    const { id } = recording
    await this.database.transaction(async (tx) => {
      const { affected } = await tx.update(
        RecordingRow,
        { id, status: In([...running]) },
        { status: 'processing', ended_at: at },
      )
      if (affected !== 1) return
      await this.announcements.completed(tx, recording)
      const payload: StorePayload = { recording_id: id, key: keyOf(recording) }
      const job = { id: newId('job'), kind: storeJob, cell: this.cell, workspace_id: recording.workspace_id }
      await addJob(tx, { ...job, payload, created_at: new Date() })
    })
  }

  async update(id: string, changes: Partial<Recording>): Promise<void> {
    await this.table.update({ id, status: 'processing' }, changes)
  }

  /** Ends the processing of a recording. @returns whether it was being processed, and not deleted meanwhile */
  async settle(tx: EntityManager, id: string, changes: Partial<Recording>): Promise<boolean> {
    const { affected } = await tx.update(RecordingRow, { id, status: 'processing' }, changes)
    return affected === 1
  }

  /** There is nothing to keep of it. @param from the states in which that is so: those before its end by default */
  async fail(
    recording: Recording,
    error: string,
    from: readonly Recording['status'][] = running,
  ): Promise<void> {
    const { id, kind } = recording
    const ended_at = recording.ended_at ?? new Date()
    await this.database.transaction(async (tx) => {
      const changes = { status: 'failed', error, ended_at } as const
      const { affected } = await tx.update(RecordingRow, { id, status: In([...from]) }, changes)
      if (affected === 1 && kind === 'voicemail') await this.voicemailLost(tx, recording)
    })
  }

  /** Those of the ids that are rows whose raw files are still needed. */
  async needed(ids: readonly string[]): Promise<Set<string>> {
    const unfinished = [...running, 'processing'] as const
    const rows = await this.table.find({
      select: { id: true },
      where: { id: In([...ids]), status: In([...unfinished]) },
    })
    return new Set(rows.map(({ id }) => id))
  }

  /** Deletes rows, and has their files removed. @returns how many; all that match unless there are as many as `limit` */
  async deleteIn(
    tx: EntityManager,
    workspaceId: string,
    where: FindOptionsWhere<Recording>,
    limit: number,
  ): Promise<number> {
    const rows = await tx.find(RecordingRow, {
      where: { ...where, workspace_id: workspaceId },
      order: { created_at: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write' },
    })
    if (rows.length === 0) return 0
    await tx.delete(
      RecordingRow,
      rows.map(({ id }) => id),
    )
    await removeFiles(tx, rows)
    return rows.length
  }

  private get table() {
    return this.database.platformTable(RecordingRow)
  }
}

/** Has the files of rows removed that the transaction deletes. */
export async function removeFiles(tx: EntityManager, rows: readonly Recording[]): Promise<void> {
  for (const [workspace_id, those] of grouped(rows, (row) => row.workspace_id)) {
    await addBytes(tx, workspace_id, -storedOf(those))
    const files = those.flatMap(({ storage, storage_key: key }) => (storage && key ? [{ storage, key }] : []))
    for (let from = 0; from < files.length; from += filesPerJob) {
      const payload: RemovePayload = { files: files.slice(from, from + filesPerJob) }
      await addJob(tx, { id: newId('job'), kind: removeJob, workspace_id, payload, created_at: new Date() })
    }
  }
}

/** Bytes of those that are kept: what is being processed is not counted yet. */
function storedOf(rows: readonly Recording[]): number {
  return rows.reduce((sum, { status, size_bytes }) => sum + (status === 'ready' ? (size_bytes ?? 0) : 0), 0)
}

/** `<workspace>/2026/11/<id>.wav` */
function keyOf({ workspace_id, id, format, created_at }: Recording): string {
  const [year, month] = created_at.toISOString().split('-')
  return [workspace_id, year, month, `${id}.${format}`].join('/')
}
