/**
 * The files of messages: fetched before a message is accepted, stored, and served at addresses that act as their secret.
 */
import { randomBytes } from 'node:crypto'
import { type EntityManager, In } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { type FieldProblem, ValidationError } from '../../../infrastructure/http/errors.js'
import { RangedAnswer } from '../../../infrastructure/http/ranged-answer.js'
import { findMedia } from './find-media.js'
import { type Fetched, type MediaFetcher } from './media-fetcher.js'
import type { KeptFile, MediaFiles, StoredFile } from './media-files.js'
import { endingOf } from './media-type.js'
import { MessageAttachment } from './message-attachment.entity.js'
import type { MessageUpload } from './message-upload.entity.js'
import { type OwnAddresses, type OwnMedia, unknownFile } from './own-media.js'
import type { StoredBytes } from '../../workspaces/kept-bytes.js'
import type { MediaUploads } from './uploads.js'

/** A file that is kept, and that a message may take. */
export type FetchedAttachment = (KeptFile | TakenUpload) & { readonly source_url: string }

/** An upload stays its agent's until the message is accepted. */
interface TakenUpload extends StoredFile {
  readonly upload: MessageUpload
}

/** Files that a message cannot have: which, and why. */
export class FilesProblem extends ValidationError {
  constructor(
    problems: readonly FieldProblem[],
    /** Whether it may be another time. */
    readonly isPassing: boolean,
  ) {
    super(problems)
    this.message = problems.flatMap(({ messages }) => messages).join('; ')
  }
}

/** Rows of a deleted workspace that one statement removes. */
const deletedAtOnce = 1_000

export class MediaStore {
  constructor(
    private readonly database: Database,
    private readonly fetcher: MediaFetcher,
    private readonly files: MediaFiles,
    private readonly uploads: MediaUploads,
    private readonly own: OwnAddresses,
    private readonly storedBytes: Pick<StoredBytes, 'take'>,
  ) {}

  /**
   * Fetches and keeps the files of a message that is about to be sent, in their order. A message that is refused after
   * all gives them back with {@link discard}.
   * @throws {FilesProblem} 400 naming each `media_urls.<n>` that cannot be taken and why
   */
  async fetchAll(workspace: Owner, urls: readonly string[]): Promise<FetchedAttachment[]> {
    if (urls.length === 0) return []
    const found = await this.foundAt(workspace, urls)
    const problems = found.flatMap((one, index) =>
      'problem' in one ? [problemOf(`media_urls.${index}`, one.problem)] : [],
    )
    const isPassing = found.every((one) => !('problem' in one) || one.isPassing)
    if (problems.length > 0) throw new FilesProblem(problems, isPassing)
    const media = found.flatMap((one) => ('media' in one ? [one.media] : []))
    const kept = await this.files.keepNow(workspace.id, media)
    const next = kept.values()
    return found.flatMap((one, index): FetchedAttachment[] => {
      const file = 'upload' in one ? { ...one.upload, upload: one.upload } : next.next().value
      return file ? [{ ...file, source_url: urls[index] ?? '' }] : []
    })
  }

  /**
   * Looks at the addresses alone: nothing is fetched.
   * @returns whether all files are here already
   * @throws 400 naming each `media_urls.<n>` that will not do
   */
  async check(workspace: Owner, urls: readonly string[]): Promise<boolean> {
    const known = await this.own.know(workspace, urls)
    const problems = urls.flatMap((url, index) => {
      const broken = known[index] === null ? this.fetcher.brokenRule(url) : undefined
      const problem = known[index] === false ? unknownFile : broken && `must ${broken}`
      return problem ? [problemOf(`media_urls.${index}`, problem)] : []
    })
    if (problems.length > 0) throw new ValidationError(problems)
    return known.every((one) => one === true)
  }

  /** Writes the files of a message, in the transaction that accepts it. @throws 503 when they are gone by now */
  async attach(
    tx: EntityManager,
    message: { readonly id: string; readonly workspace_id: string },
    files: readonly FetchedAttachment[],
  ): Promise<MessageAttachment[]> {
    if (files.length === 0) return []
    const kept = files.filter(isKept)
    await this.files.take(tx, kept)
    // Uploads are counted already.
    await this.storedBytes.take(tx, { id: message.workspace_id }, sum(kept.map(({ bytes }) => bytes)))
    await this.uploads.take(
      tx,
      files.flatMap((file) => (isKept(file) ? [] : [file.upload])),
    )
    const created_at = new Date()
    const rows = files.map((file, position) => {
      const { content_type, bytes, source_url, storage, storage_key } = file
      // An upload keeps its address, which its agent may have shown already.
      const { id, token } = isKept(file)
        ? { id: newId('att'), token: randomBytes(24).toString('hex') }
        : file.upload
      return {
        ...{ id, workspace_id: message.workspace_id, message_id: message.id, position },
        ...{ content_type, bytes, source_url, storage, storage_key, token, created_at },
      }
    })
    await tx.insert(MessageAttachment, rows)
    return rows
  }

  /** Files that no message takes after all: they are removed. Never throws: what is left goes within an hour. */
  async discard(files: readonly FetchedAttachment[]): Promise<void> {
    await this.files.discard(files.filter(isKept)).catch(() => undefined)
  }

  /** The file of an address; null if there is none. */
  async find(workspaceId: string, id: string, token: string): Promise<RangedAnswer | null> {
    const row = await findMedia(this.database, workspaceId, { id, token })
    if (!row) return null
    return new RangedAnswer({
      ...{ type: row.content_type, size: row.bytes, tag: row.id },
      headers: { 'Content-Disposition': `inline; filename="${row.id}.${endingOf(row.content_type)}"` },
      open: async (range) => this.files.open(row, range),
    })
  }

  /** The files of messages that the transaction deletes. @returns how many */
  async deleteOf(tx: EntityManager, messageIds: readonly string[]): Promise<number> {
    const rows = await tx.findBy(MessageAttachment, { message_id: In([...messageIds]) })
    if (rows.length === 0) return 0
    await this.files.removeLater(tx, rows)
    await tx.delete(
      MessageAttachment,
      rows.map(({ id }) => id),
    )
    return rows.length
  }

  /** Some files of a deleted workspace. @returns how many; 0 if it has none */
  async deleteSome(tx: EntityManager, workspace: Owner): Promise<number> {
    const uploads = await this.uploads.deleteSome(tx, workspace)
    const rows = await tx.find(MessageAttachment, {
      where: { workspace_id: workspace.id },
      take: deletedAtOnce,
    })
    if (rows.length === 0) return uploads
    await this.files.removeLater(tx, rows)
    await tx.delete(
      MessageAttachment,
      rows.map(({ id }) => id),
    )
    return uploads + rows.length
  }

  /** The files of addresses, in their order; those on other servers are fetched. */
  private async foundAt(workspace: Owner, urls: readonly string[]): Promise<(OwnMedia | Fetched)[]> {
    const own = await this.own.find(workspace, urls)
    const taken = sum(own.map(bytesOf))
    const fetched = await this.fetcher.fetch(
      workspace.id,
      urls.filter((_, index) => own[index] === null),
      { taken },
    )
    const next = fetched.values()
    const tooLarge = taken > this.fetcher.maxBytes ? this.fetcher.tooLarge : null
    return own.flatMap((one): (OwnMedia | Fetched)[] => {
      if (one && !('problem' in one)) return [tooLarge ?? one]
      const found = one ?? next.next().value
      return found ? [found] : []
    })
  }
}

function problemOf(field: string, problem: string) {
  return { field, messages: [`${field} ${problem}`] }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, one) => total + one, 0)
}

function isKept(file: FetchedAttachment): file is KeptFile & FetchedAttachment {
  return !('upload' in file)
}

function bytesOf(own: OwnMedia | null): number {
  if (own && 'upload' in own) return own.upload.bytes
  return own && 'media' in own ? own.media.content.length : 0
}
