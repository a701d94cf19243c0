/**
 * The files of messages. Before a file is kept a job is committed that removes it; the transaction that writes the
 * file's row deletes the job: whatever breaks, no row is without its file and no file stays without a row.
 */
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type EntityManager, In } from 'typeorm'
import type { Logger } from 'pino'
import type { Database } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Job, OutboxJob, OutboxWorker, addJob } from '../../../infrastructure/database/outbox.js'
import { ApiError, UnavailableError, notFound } from '../../../infrastructure/http/errors.js'
import {
  ContentMissingError,
  type StorageKind,
  StorageUnavailableError,
} from '../../../infrastructure/storage/storage.js'
import type { Storages } from '../../../infrastructure/storage/storages.js'
import { grouped } from '../../../lib/grouped.js'
import { addBytes } from '../../workspaces/kept-bytes.js'
import type { ReadMedia } from './media-type.js'

const removeJob = 'message_media.remove'

/** A file, and where it lies. */
export interface StoredFile {
  readonly content_type: string
  readonly bytes: number
  readonly storage: StorageKind
  readonly storage_key: string
}

/** A kept file that no row has taken yet. */
export interface KeptFile extends StoredFile {
  /** Removes the file unless a row takes it. */
  readonly removal_id: string
}

interface RemovePayload {
  readonly files: readonly { readonly storage: StorageKind; readonly key: string }[]
}

/** Within this time a file is taken by a row, or removed. */
const untakenMs = 3_600_000

/** Files that one job removes. */
const filesPerJob = 500

const settings = {
  ...{ concurrency: 4, turns: { ofOwner: 2, share: 1 / 2 }, leaseMs: 30_000, renewed: true },
  retryMs: (attempts: number) => Math.min(2_000 * 2 ** attempts, 600_000),
}

export class MediaFiles {
  private readonly remover: OutboxWorker

  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    log: Logger,
  ) {
    this.remover = new OutboxWorker(database, removeJob, async (job) => this.remove(job), settings, log)
  }

  start(): void {
    this.remover.start()
  }

  async stop(): Promise<void> {
    await this.remover.stop()
  }

  /** Keeps files that no message has yet. @throws {StorageUnavailableError} */
  async keep(workspaceId: string, media: readonly ReadMedia[]): Promise<KeptFile[]> {
    if (media.length === 0) return []
    const storage = this.storages.current
    const removal_id = newId('job')
    const kept = media.map(({ type, content }) => ({
      ...{ content_type: type, bytes: content.length, removal_id },
      ...{ storage: storage.kind, storage_key: keyOf(workspaceId) },
    }))
    const due_at = new Date(Date.now() + untakenMs)
    await addRemoval(this.database.source.manager, workspaceId, kept, { id: removal_id, due_at })
    await Promise.all(
      kept.map(async ({ storage_key, content_type }, index) =>
        storage.put(storage_key, media[index]?.content ?? Buffer.alloc(0), content_type),
      ),
    )
    return kept
  }

  /** The same for a request that waits for the answer. @throws 503 while the storage is away */
  async keepNow(workspaceId: string, media: readonly ReadMedia[]): Promise<KeptFile[]> {
    return this.keep(workspaceId, media).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailableError)) throw error
      throw new UnavailableError('The storage of files cannot be reached: try again later', 5)
    })
  }

  /** Rows take files. @throws 503 when that comes so late that they are removed */
  async take(tx: EntityManager, files: readonly KeptFile[]): Promise<void> {
    const removals = [...new Set(files.map(({ removal_id }) => removal_id))]
    if (removals.length === 0) return
    const { affected } = await tx.delete(OutboxJob, { id: In(removals) })
    if (affected !== removals.length) throw new UnavailableError('The files must be fetched again', 1)
  }

  /** No message will take these files. */
  async discard(files: readonly KeptFile[]): Promise<void> {
    const removals = [...new Set(files.map(({ removal_id }) => removal_id))]
    if (removals.length === 0) return
    await this.database.platformTable(OutboxJob).update({ id: In(removals) }, { due_at: new Date() })
    this.remover.wake()
  }

  /** The files of rows that the transaction deletes are removed after it. */
  async removeLater(
    tx: EntityManager,
    rows: readonly (StoredFile & { readonly workspace_id: string })[],
  ): Promise<void> {
    for (const [workspaceId, those] of grouped(rows, ({ workspace_id }) => workspace_id)) {
      await addBytes(tx, workspaceId, -sumOf(those.map(({ bytes }) => bytes)))
      for (let from = 0; from < those.length; from += filesPerJob) {
        const job = { id: newId('job'), due_at: new Date() }
        await addRemoval(tx, workspaceId, those.slice(from, from + filesPerJob), job)
      }
    }
  }

  /** @throws 404 when the file is lost, 503 while the storage is away */
  async open(
    { storage, storage_key }: StoredFile,
    range?: { first: number; last: number },
  ): Promise<Readable> {
    try {
      return await this.storages.of(storage).open(storage_key, range)
    } catch (error) {
      if (error instanceof ContentMissingError) throw notFound('The file is not in the storage')
      if (!(error instanceof StorageUnavailableError)) throw error
      throw new ApiError(503, 'The storage of files cannot be reached: try again later')
    }
  }

  private async remove(job: Job): Promise<void> {
    const { files } = job.payload as RemovePayload
    for (const { storage, key } of files) await this.storages.of(storage).remove(key)
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

async function addRemoval(
  tx: EntityManager,
  workspace_id: string,
  files: readonly Pick<KeptFile, 'storage' | 'storage_key'>[],
  { id, due_at }: { id: string; due_at: Date },
): Promise<void> {
  const payload: RemovePayload = { files: files.map(({ storage, storage_key: key }) => ({ storage, key })) }
  await addJob(tx, { id, kind: removeJob, workspace_id, payload, created_at: new Date(), due_at })
}

/** `messages/<workspace>/2026/11/<random>`: beside recordings in the same bucket. */
function keyOf(workspaceId: string): string {
  const [year = '', month = ''] = new Date().toISOString().split('-')
  return ['messages', workspaceId, year, month, randomBytes(16).toString('hex')].join('/')
}
