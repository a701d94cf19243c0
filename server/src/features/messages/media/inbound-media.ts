/**
 * The files of inbound messages, which carriers name by URL. An outbox job fetches them after the message was accepted.
 * The event message.received is published once all files that can be fetched are there.
 */
import type { EntityManager } from 'typeorm'
import type { Logger } from 'pino'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Job, OutboxJob, OutboxWorker, addJob } from '../../../infrastructure/database/outbox.js'
import type { StoredBytes } from '../../workspaces/kept-bytes.js'
import { Message } from '../message.entity.js'
import { fetchPlaces } from './fetch-places.js'
import { type MediaFetcher, maxFiles } from './media-fetcher.js'
import type { MediaFiles } from './media-files.js'
import type { FetchedAttachment, MediaStore } from './media-store.js'

const fetchJob = 'message_media.fetch'

interface FetchPayload {
  readonly message_id: string
  readonly workspace_id: string
  readonly urls: readonly string[]
}

/** Credentials for a carrier's own server. */
export interface CarrierCredentials {
  /** The URL for submissions: files of the same origin are on the carrier's server. */
  readonly url: string
  readonly authorization: string
}

interface Options {
  database: Database
  fetcher: MediaFetcher
  files: MediaFiles
  store: MediaStore
  storedBytes: Pick<StoredBytes, 'hasRoom'>
  /** A carrier's credentials for its file server; null if it has none. */
  credentialsOf: (carrierId: string) => Promise<CarrierCredentials | null>
  /** A message is whole: its files are there, or those that can be had. */
  arrived: (tx: EntityManager, message: Message) => Promise<void>
  log: Logger
}

/** How long fetching is retried; then the message is published without the file. */
const fetchedForMs = 1_800_000

const settings = {
  ...{ ...fetchPlaces, leaseMs: 60_000, renewed: true },
  retryMs: (attempts: number) => Math.min(5_000 * 2 ** attempts, 300_000),
}

export class InboundMedia {
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

  /** Has the files of a message fetched that the transaction writes; the first {@link maxFiles} of them. */
  async fetchInbound(
    tx: EntityManager,
    message: { readonly id: string; readonly workspace_id: string },
    urls: readonly string[],
  ): Promise<void> {
    const payload: FetchPayload = {
      ...{ message_id: message.id, workspace_id: message.workspace_id },
      urls: urls.slice(0, maxFiles),
    }
    const { workspace_id } = message
    await addJob(tx, { id: newId('job'), kind: fetchJob, workspace_id, payload, created_at: new Date() })
    afterCommit(tx, () => this.worker.wake())
  }

  private async fetch(job: Job): Promise<void> {
    const { message_id, workspace_id, urls } = job.payload as FetchPayload
    const { fetcher, files, log } = this.options
    const headersOf = await this.headersFor(message_id)
    const fetched = await fetcher.fetch(workspace_id, urls, { headersOf })
    const problems = fetched.flatMap((one) => ('problem' in one ? [one] : []))
    const passing = problems.find(({ isPassing }) => isPassing)
    if (passing && Date.now() - job.created_at.getTime() < fetchedForMs) throw new Error(passing.problem)
    for (const { problem } of problems)
      log.warn({ event: 'message.file_lost', message_id, problem }, 'a file of an inbound message is lost')
    const bytes = fetched.reduce((all, one) => all + ('media' in one ? one.media.content.length : 0), 0)
    // The message itself is never lost: it arrives without its files.
    const hasRoom = await this.options.storedBytes.hasRoom({ id: workspace_id }, bytes)
    if (!hasRoom)
      log.warn(
        { event: 'message.no_room', message_id, workspace_id },
        'there is no room for the files of an inbound message',
      )
    const found = (hasRoom ? fetched : []).flatMap((one, index) =>
      'media' in one ? [{ media: one.media, source_url: urls[index] ?? '' }] : [],
    )
    const kept = await files.keep(
      workspace_id,
      found.map(({ media }) => media),
    )
    await this.arrive(
      job,
      kept.map((file, index) => ({ ...file, source_url: found[index]?.source_url ?? '' })),
    )
  }

  /** Some carriers serve their files only with the credentials for submissions. No other server gets them. */
  private async headersFor(messageId: string): Promise<(url: URL) => Record<string, string>> {
    const { database, credentialsOf } = this.options
    const message = await database.platformTable(Message).findOneBy({ id: messageId })
    const known = message?.carrier_id ? await credentialsOf(message.carrier_id) : null
    return ({ origin }) =>
      known && origin === new URL(known.url).origin ? { authorization: known.authorization } : {}
  }

  private async arrive(job: Job, files: readonly FetchedAttachment[]): Promise<void> {
    const { database, store, arrived } = this.options
    const { message_id: id } = job.payload as FetchPayload
    const isThere = await database.transaction(async (tx) => {
      const message = await tx.findOne(Message, { where: { id }, lock: { mode: 'pessimistic_write' } })
      const { affected: isFirst } = await tx.delete(OutboxJob, job.id)
      // An earlier try has come so far, or the workspace is deleted.
      if (!message || !isFirst) return false
      const whole = { ...message, attachments: files.length, updated_at: new Date() }
      await store.attach(tx, message, files)
      await tx.update(Message, id, { attachments: whole.attachments, updated_at: whole.updated_at })
      await arrived(tx, whole)
      return true
    })
    if (!isThere) await store.discard(files)
  }
}
