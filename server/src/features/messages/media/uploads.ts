/**
 * Files that are uploaded to be sent: each has its address at once, and a message that names the address takes the
 * file over with it. What no message takes within a day is removed.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type EntityManager, In, LessThan } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { UploadedFile } from '../../../infrastructure/http/endpoint.js'
import { UnavailableError, forbidden, invalidField, notFound } from '../../../infrastructure/http/errors.js'
import type { StoredBytes } from '../../workspaces/kept-bytes.js'
import type { MediaFiles } from './media-files.js'
import { mediaRule, readMedia } from './media-type.js'
import { MessageUpload } from './message-upload.entity.js'

/** How long an upload waits for its message, at least. */
const untakenMs = 86_400_000

/** Uploads of one user that no message has used. */
export const maxUntaken = 100

/** Rows that one transaction deletes. */
const removedAtOnce = 500

export class MediaUploads {
  constructor(
    private readonly database: Database,
    private readonly files: MediaFiles,
    private readonly storedBytes: Pick<StoredBytes, 'check' | 'take'>,
  ) {}

  /**
   * Keeps a file.
   * @throws 400 naming `file` if its type is not supported, 403 when too many wait, 503 while the storage is away
   */
  async keep(workspace: Owner, uploaderId: string, file: UploadedFile): Promise<MessageUpload> {
    const media = readMedia(await readFile(file.path))
    if (!media) throw invalidField('file', `file must be ${mediaRule}`)
    const waiting = await this.database.platformTable(MessageUpload).countBy({ uploader_id: uploaderId })
    if (waiting >= maxUntaken) {
      throw forbidden(`You have uploaded ${maxUntaken} files that no message has taken: send or delete some`)
    }
    await this.storedBytes.check(workspace, media.content.length)
    const kept = await this.files.keepNow(workspace.id, [media])
    try {
      return await this.database.transaction(async (tx) => {
        await this.files.take(tx, kept)
        await this.storedBytes.take(tx, workspace, media.content.length)
        const [upload] = kept.map(({ content_type, bytes, storage, storage_key }): MessageUpload => ({
          ...{ id: newId('att'), workspace_id: workspace.id, uploader_id: uploaderId },
          ...{ content_type, bytes, storage, storage_key },
          ...{ token: randomBytes(24).toString('hex'), created_at: new Date() },
        }))
        if (!upload) throw new Error('the file was not kept')
        await insertRows(tx, MessageUpload, [upload])
        return upload
      })
    } catch (error) {
      await this.files.discard(kept).catch(() => undefined)
      throw error
    }
  }

  /** Removes a file that its uploader does not send after all. @throws 404 also when a message has taken it */
  async remove(workspace: Owner, uploaderId: string, id: string): Promise<MessageUpload> {
    return this.database.transaction(async (tx) => {
      const where = { id, workspace_id: workspace.id, uploader_id: uploaderId }
      const upload = await tx.findOne(MessageUpload, { where, lock: { mode: 'pessimistic_write' } })
      if (!upload) throw notFound(`File ${id} not found`)
      await this.removeRows(tx, [upload])
      return upload
    })
  }

  async find(id: string): Promise<MessageUpload | null> {
    return this.database.platformTable(MessageUpload).findOneBy({ id })
  }

  /** A message takes files, in the transaction that writes its own rows. @throws 503 when another has just taken one */
  async take(tx: EntityManager, uploads: readonly MessageUpload[]): Promise<void> {
    if (uploads.length === 0) return
    const { affected } = await tx.delete(MessageUpload, { id: In(uploads.map(({ id }) => id)) })
    if (affected !== uploads.length) throw new UnavailableError('The files must be fetched again', 1)
  }

  /** Some files of a deleted workspace. @returns how many */
  async deleteSome(tx: EntityManager, workspace: Owner): Promise<number> {
    return this.removeSome(tx, { workspace_id: workspace.id })
  }

  /** Removes what has waited for a message long enough. */
  async sweep(): Promise<void> {
    const old = { created_at: LessThan(new Date(Date.now() - untakenMs)) }
    let removed: number
    do removed = await this.database.transaction(async (tx) => this.removeSome(tx, old))
    while (removed === removedAtOnce)
  }

  /** @returns how many; there may be more when there were as many as are removed at once */
  private async removeSome(
    tx: EntityManager,
    where: Parameters<typeof tx.findBy<MessageUpload>>[1],
  ): Promise<number> {
    const uploads = await tx.find(MessageUpload, {
      ...{ where, take: removedAtOnce },
      lock: { mode: 'pessimistic_write' },
    })
    await this.removeRows(tx, uploads)
    return uploads.length
  }

  private async removeRows(tx: EntityManager, uploads: readonly MessageUpload[]): Promise<void> {
    if (uploads.length === 0) return
    await this.files.removeLater(tx, uploads)
    await tx.delete(MessageUpload, { id: In(uploads.map(({ id }) => id)) })
  }
}

/** How long an upload waits for its message, at least. */
export function untakenUntil({ created_at }: MessageUpload): Date {
  return new Date(created_at.getTime() + untakenMs)
}
