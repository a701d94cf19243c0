/**
 * The files of messages that were accepted: fetched after the answer, by an outbox job, and then the message is queued
 * for its carrier. A message whose files cannot be fetched fails, and its price is refunded.
 */
import type { EntityManager } from 'typeorm'
import type { Logger } from 'pino'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Job, OutboxJob, OutboxWorker, addJob } from '../../../infrastructure/database/outbox.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import type { MessageChange } from '../message-changes.js'
import { Message } from '../message.entity.js'
import { fetchPlaces } from './fetch-places.js'
import { FilesProblem, type MediaStore } from './media-store.js'

const fetchJob = 'message_media.fetch_outbound'

/** How long a failing server is asked again; then the message fails. */
const fetchedForMs = 60_000

const settings = {
  ...{ ...fetchPlaces, leaseMs: 20_000, renewed: true },
  retryMs: (attempts: number) => Math.min(1_000 * 2 ** attempts, 10_000),
}

interface FetchPayload {
  readonly message_id: string
  readonly workspace_id: string
  readonly urls: readonly string[]
  readonly carrier_id: string | null
}

interface Options {
  database: Database
  store: MediaStore
  /** The files are there: queues the message for its carrier. */
  enqueue: (tx: EntityManager, message: Message, carrierId: string | null) => Promise<void>
  fail: (tx: EntityManager, change: MessageChange) => Promise<void>
  log: Logger
}

export class OutboundMedia {
  private readonly worker: OutboxWorker

  constructor(private readonly options: Options) {
    const { database, log } = options
    this.worker = new OutboxWorker(database, fetchJob, async (job) => this.fetch(job), settings, log)
  }

  start(): void {
    this.worker.start()
  }

  async stop(): Promise<void> {
    await this.worker.stop()
  }

  /** Has the files of a message fetched that the transaction writes. */
  async fetchLater(
    tx: EntityManager,
    { id, workspace_id }: Message,
    urls: readonly string[],
    carrier_id: string | null,
  ): Promise<void> {
    const payload: FetchPayload = { message_id: id, workspace_id, urls, carrier_id }
    await addJob(tx, { id: newId('job'), kind: fetchJob, workspace_id, payload, created_at: new Date() })
    afterCommit(tx, () => this.worker.wake())
  }

  private async fetch(job: Job): Promise<void> {
    const { workspace_id, urls } = job.payload as FetchPayload
    const { store } = this.options
    try {
      const files = await store.fetchAll({ id: workspace_id }, urls)
      const isTaken = await this.settle(job, async (tx, message) => {
        await store.attach(tx, message, files)
        await tx.update(Message, message.id, { pending_media_urls: null })
        await this.options.enqueue(tx, message, (job.payload as FetchPayload).carrier_id)
      }).catch(async (error: unknown) => {
        await store.discard(files)
        throw error
      })
      if (!isTaken) await store.discard(files)
    } catch (error) {
      if (isForbidden(error)) return this.failed(job, 'storage_full', error.message)
      if (!(error instanceof FilesProblem)) throw error
      if (error.isPassing && Date.now() - job.created_at.getTime() < fetchedForMs) throw error
      await this.failed(job, 'media_unavailable', error.message)
    }
  }

  private async failed(job: Job, error_code: string, error_message: string): Promise<void> {
    const why = { error_code, error_message }
    await this.settle(job, async (tx, { id }) => this.options.fail(tx, { id, to: 'failed', ...why }))
  }

  /** @returns false where the message is gone, or an earlier try has come so far */
  private async settle(
    job: Job,
    work: (tx: EntityManager, message: Message) => Promise<void>,
  ): Promise<boolean> {
    const { message_id: id } = job.payload as FetchPayload
    return this.options.database.transaction(async (tx) => {
      const message = await tx.findOne(Message, { where: { id }, lock: { mode: 'pessimistic_write' } })
      const { affected: isFirst } = await tx.delete(OutboxJob, job.id)
      if (!message || !isFirst || message.status !== 'queued') return false
      await work(tx, message)
      return true
    })
  }
}

/** The workspace may keep no more files. */
function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 403
}
