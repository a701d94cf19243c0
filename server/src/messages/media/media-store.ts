/** The files that go with messages: fetched before a message is accepted, kept, and shown to whoever has their address. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type EntityManager } from 'typeorm'
import type { Database } from '../../database/database.js'
import { isId, newId } from '../../database/ids.js'
import type { Owner } from '../../database/workspace-table.js'
import { UnavailableError, ValidationError } from '../../http/errors.js'
import { RangedAnswer } from '../../http/ranged-answer.js'
import { StorageUnavailableError } from '../../storage/storage.js'
import type { MediaFetcher } from './media-fetcher.js'
import type { KeptFile, MediaFiles } from './media-files.js'
import { endingOf } from './media-type.js'
import { MessageAttachment } from './message-attachment.entity.js'

/** A file that was fetched and is kept, and that a message may take. */
export interface FetchedAttachment extends KeptFile {
  readonly source_url: string
}

/** Messages whose files are fetched at once, for each workspace and in all: their files are in memory. */
const maxOfWorkspace = 8
const maxInAll = 32

/** Rows of a deleted workspace that one statement removes. */
const deletedAtOnce = 1_000

export class MediaStore {
  /** How many messages' files are being fetched, by workspace. */
  private readonly fetching = new Map<string, number>()

  constructor(
    private readonly database: Database,
    private readonly fetcher: MediaFetcher,
    private readonly files: MediaFiles,
  ) {}

  /**
   * Fetches and keeps the files of a message that is about to be sent, in their order. A message that is refused after
   * all gives them back with {@link discard}.
   * @throws 400 naming each `media_urls.<n>` that cannot be taken and why; 503 while too many are fetched
   */
  async fetchAll(workspace: Owner, urls: readonly string[]): Promise<FetchedAttachment[]> {
    if (urls.length === 0) return []
    return this.whileFetching(workspace.id, async () => {
      const fetched = await this.fetcher.fetch(urls)
      const problems = fetched.flatMap((one, index) =>
        'problem' in one ? [problemOf(`media_urls.${index}`, one.problem)] : [],
      )
      if (problems.length > 0) throw new ValidationError(problems)
      const media = fetched.flatMap((one) => ('media' in one ? [one.media] : []))
      const kept = await this.files.keep(workspace.id, media).catch((error: unknown) => {
        if (!(error instanceof StorageUnavailableError)) throw error
        throw new UnavailableError('The storage of files cannot be reached: try again later', 5)
      })
      return kept.map((file, index) => ({ ...file, source_url: urls[index] ?? '' }))
    })
  }

  /** Writes the files of a message, in the transaction that accepts it. @throws 503 when they are gone by now */
  async attach(
    tx: EntityManager,
    message: { readonly id: string; readonly workspace_id: string },
    files: readonly FetchedAttachment[],
  ): Promise<MessageAttachment[]> {
    if (files.length === 0) return []
    await this.files.take(tx, files)
    const created_at = new Date()
    const rows = files.map(({ content_type, bytes, source_url, storage, storage_key }, position) => ({
      ...{ id: newId('att'), workspace_id: message.workspace_id, message_id: message.id, position },
      ...{ content_type, bytes, source_url, storage, storage_key, created_at },
      token: randomBytes(24).toString('hex'),
    }))
    await tx.insert(MessageAttachment, rows)
    return rows
  }

  /** Files that no message takes after all: they are removed. Never throws: what is left goes within an hour. */
  async discard(files: readonly FetchedAttachment[]): Promise<void> {
    await this.files.discard(files).catch(() => undefined)
  }

  /** The file of an address, or null when there is none. */
  async find(workspaceId: string, id: string, token: string): Promise<RangedAnswer | null> {
    if (!isId(id, 'att')) return null
    const row = await this.database.platformTable(MessageAttachment).findOneBy({ id })
    if (row?.workspace_id !== workspaceId || !isSame(row.token, token)) return null
    return new RangedAnswer({
      ...{ type: row.content_type, size: row.bytes, tag: row.id },
      headers: { 'Content-Disposition': `inline; filename="${row.id}.${endingOf(row.content_type)}"` },
      open: async (range) => this.files.open(row, range),
    })
  }

  /** All files of a workspace that is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    for (;;) {
      const rows = await tx.find(MessageAttachment, {
        where: { workspace_id: workspace.id },
        take: deletedAtOnce,
      })
      if (rows.length === 0) return
      await this.files.removeLater(tx, rows)
      await tx.delete(
        MessageAttachment,
        rows.map(({ id }) => id),
      )
    }
  }

  private async whileFetching<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const [own, all] = [this.fetching.get(workspaceId) ?? 0, sum(this.fetching.values())]
    if (own >= maxOfWorkspace || all >= maxInAll) {
      throw new UnavailableError('The files of too many messages are being fetched: try again', 5)
    }
    this.fetching.set(workspaceId, own + 1)
    try {
      return await work()
    } finally {
      const left = (this.fetching.get(workspaceId) ?? 1) - 1
      if (left > 0) this.fetching.set(workspaceId, left)
      else this.fetching.delete(workspaceId)
    }
  }
}

function problemOf(field: string, problem: string) {
  return { field, messages: [`${field} ${problem}`] }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, one) => total + one, 0)
}

function isSame(token: string, given: string): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
