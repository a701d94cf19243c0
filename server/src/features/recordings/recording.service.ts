/** Recordings as their workspace sees them. */
import { type EntityManager, type FindOptionsWhere, In, IsNull } from 'typeorm'
import type { Readable } from 'node:stream'
import type { Database } from '../../infrastructure/database/database.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { ApiError, conflict, notFound } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import type { ByteRange, RangedAnswer as Answer } from '../../infrastructure/http/ranged-answer.js'
import { RangedAnswer } from '../../infrastructure/http/ranged-answer.js'
import { beginningOf } from './announcements.js'
import type { Recorder } from './recorder.js'
import { mediaTypeOf } from './recording-jobs.js'
import { type RecordingStore, removeFiles } from './recording-store.js'
import { Recording } from './recording.entity.js'
import type { RecordingQuery } from './recording.schema.js'
import {
  ContentMissingError,
  type StorageKind,
  StorageUnavailableError,
} from '../../infrastructure/storage/storage.js'
import type { Storages } from '../../infrastructure/storage/storages.js'

interface Options {
  database: Database
  store: RecordingStore
  recorder: Recorder
  storages: Storages
  /** @throws 404 when the workspace has no such call */
  checkCall: (workspace: Owner, id: string) => Promise<void>
  wake: () => void
}

export interface RecordingFile {
  readonly filename: string
  readonly type: string
  readonly content: Readable
}

/** What an agent notes of a voicemail. */
export type VoicemailMark = 'heard' | 'done'

/** Running recordings of one call that a newly opened stream gets. */
const maxRunning = 20

/** Rows of a deleted workspace that one statement removes. */
const deletedAtOnce = 1_000

export class RecordingService {
  private readonly table: WorkspaceTable<Recording>

  constructor(private readonly options: Options) {
    this.table = new WorkspaceTable(options.database, Recording, { audited: 'recording' })
  }

  /** The cell of the recorded call, whatever its workspace; null for no such recording. */
  async cellOf(id: string): Promise<string | null> {
    return this.options.store.cellOf(id)
  }

  async list(workspace: Owner, { call_id, kind, ...request }: RecordingQuery): Promise<Page<Recording>> {
    const where = { ...(call_id !== undefined && { call_id }), ...(kind && { kind }) }
    return this.table.list(workspace, { ...request, where })
  }

  /** @throws 404 when there is no such call */
  async listOfCall(
    workspace: Owner,
    callId: string,
    request: Omit<RecordingQuery, 'call_id' | 'kind'>,
  ): Promise<Page<Recording>> {
    await this.options.checkCall(workspace, callId)
    return this.list(workspace, { ...request, call_id: callId })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Recording> {
    const recording = await this.table.find(workspace, id)
    if (!recording) throw notFound(`Recording ${id} not found`)
    return recording
  }

  /** Recordings of a call that go on, for who begins to follow it. */
  async stateOf(workspace: Owner, callId: string): Promise<{ event: string; at: Date; data: object }[]> {
    const rows = await this.table.findAll(
      workspace,
      { call_id: callId, status: In(['recording', 'paused']) },
      maxRunning,
    )
    return rows.map((row) => ({ event: 'recording.started', at: row.created_at, data: beginningOf(row) }))
  }

  /** The file itself. @throws 404 unknown, 409 not ready; 503 while it is answered, when the storage is away */
  async content(workspace: Owner, id: string): Promise<Answer> {
    const recording = await this.get(workspace, id)
    const { status, storage, storage_key: key, size_bytes: size, format } = recording
    if (status !== 'ready' || !storage || !key || size === null) {
      throw conflict(`The recording has no content: it is ${status}`)
    }
    return new RangedAnswer({
      ...{ type: mediaTypeOf(format), size, tag: id },
      headers: { 'Content-Disposition': `attachment; filename="${fileNameOf(recording)}"` },
      open: async (range) => this.read(storage, key, range),
    })
  }

  /**
   * The file of a recording that is ready, for the platform's own use; null when there is none.
   * @throws 503 when the storage is away
   */
  async file(workspace: Owner, id: string): Promise<RecordingFile | null> {
    const recording = await this.table.find(workspace, id)
    if (recording?.status !== 'ready' || !recording.storage || !recording.storage_key) return null
    return {
      filename: fileNameOf(recording),
      type: mediaTypeOf(recording.format),
      content: await this.read(recording.storage, recording.storage_key, undefined),
    }
  }

  /**
   * Records silence in place of what is said, or ends that.
   * @param agentId the agent who asks for it; null: an API key
   * @throws 400 when it is not being recorded, 404, 503 without the switch
   */
  async setPaused(
    workspace: Owner,
    id: string,
    paused: boolean,
    agentId: string | null = null,
  ): Promise<Recording> {
    await this.options.recorder.setPaused(await this.get(workspace, id), paused, agentId)
    return this.get(workspace, id)
  }

  /**
   * Notes that an agent has heard a voicemail, or is done with it. The first one stays.
   * @param agentId null takes the mark back
   */
  async mark(id: string, mark: VoicemailMark, agentId: string | null): Promise<void> {
    const table = this.options.database.platformTable(Recording)
    const marks = (at: Date | null) =>
      mark === 'heard' ? { heard_at: at, heard_by: agentId } : { done_at: at, done_by: agentId }
    if (agentId === null) await table.update({ id }, marks(null))
    else await table.update({ id, [`${mark}_at`]: IsNull() }, marks(new Date()))
  }

  /** Keeps what was said in a voicemail. @returns the id of its call; null if it is deleted */
  async setTranscript(
    tx: EntityManager,
    workspace: Owner,
    id: string,
    transcript: string,
  ): Promise<string | null> {
    const row = await this.table.in(tx).lock(workspace, id)
    if (row) await tx.update(Recording, { id, workspace_id: workspace.id }, { transcript })
    return row?.call_id ?? null
  }

  /** Deletes a recording, and its file a moment later. @throws 404, 409 while it is recorded */
  async delete(workspace: Owner, id: string): Promise<Recording> {
    const deleted = await this.options.database.transaction(async (tx) => {
      const row = await this.table.in(tx).lock(workspace, id)
      if (!row) throw notFound(`Recording ${id} not found`)
      if (row.status === 'recording' || row.status === 'paused') {
        throw conflict('The call is being recorded: it can be deleted once the call has ended')
      }
      await this.table.in(tx).delete(workspace, id)
      await removeFiles(tx, [row])
      return row
    })
    this.options.wake()
    return deleted
  }

  /** Some recordings of a workspace that is deleted. @returns how many; 0 when it has none */
  async deleteSome(tx: EntityManager, workspace: Owner): Promise<number> {
    return this.options.store.deleteIn(tx, workspace.id, {}, deletedAtOnce)
  }

  /** All recordings of calls that the transaction deletes. @returns how many */
  async deleteOfCalls(tx: EntityManager, workspace: Owner, callIds: readonly string[]): Promise<number> {
    return this.deleteWhere(tx, workspace, { call_id: In([...callIds]) })
  }

  /** Those of the ids that are not being made any more. @returns how many */
  async deleteMany(workspace: Owner, ids: readonly string[]): Promise<number> {
    return this.options.database.transaction(async (tx) => this.deleteManyIn(tx, workspace, ids))
  }

  /** The same in a transaction. */
  async deleteManyIn(tx: EntityManager, workspace: Owner, ids: readonly string[]): Promise<number> {
    return this.deleteWhere(tx, workspace, { id: In([...ids]), status: In(['ready', 'failed']) })
  }

  private async deleteWhere(
    tx: EntityManager,
    workspace: Owner,
    where: FindOptionsWhere<Recording>,
  ): Promise<number> {
    for (let all = 0; ;) {
      const count = await this.options.store.deleteIn(tx, workspace.id, where, deletedAtOnce)
      all += count
      if (count < deletedAtOnce) return all
    }
  }

  private async read(kind: StorageKind, key: string, range: ByteRange | undefined) {
    try {
      return await this.options.storages.of(kind).open(key, range)
    } catch (error) {
      if (error instanceof ContentMissingError) throw notFound('The recording’s file is not in the storage')
      if (!(error instanceof StorageUnavailableError)) throw error
      throw new ApiError(503, 'The storage of recordings cannot be reached: try again later')
    }
  }
}

/** `call-20261121-160500-12025550199-12025550100.wav` */
function fileNameOf({ kind, created_at, from_number, to_number, format }: Recording): string {
  const [day, time] = created_at
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .split('T')
  const plain = (number: string) => number.replace(/[^0-9A-Za-z._]+/g, '')
  const parts = [kind, day, time, plain(from_number), plain(to_number)]
  return `${parts.filter(Boolean).join('-')}.${format}`
}
