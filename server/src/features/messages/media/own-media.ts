/**
 * Addresses of ours among those that a message names. Their files are here, and are not fetched over the network, in
 * which the guarded client refuses an installation's own addresses as it refuses all private ones.
 */
import { buffer } from 'node:stream/consumers'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { PublicUrls } from '../../../infrastructure/http/public-urls.js'
import { findMedia } from './find-media.js'
import type { Fetched } from './media-fetcher.js'
import type { MediaFiles } from './media-files.js'
import { readMedia } from './media-type.js'
import { mediaNamed } from './media-url.js'
import { MessageUpload } from './message-upload.entity.js'

/** What a message gets for one of our addresses: an upload, which it takes over, or a copy of another message's file. */
export type OwnMedia = Fetched | { readonly upload: MessageUpload }

/** The problem of an address of ours without a file. */
export const unknownFile = 'names no file of this workspace'

export class OwnAddresses {
  constructor(
    private readonly database: Database,
    private readonly files: MediaFiles,
    private readonly urls: PublicUrls,
  ) {}

  /** Whether addresses of ours lead to files of the workspace, in their order; null where an address is not ours. */
  async know(workspace: Owner, urls: readonly string[]): Promise<(boolean | null)[]> {
    return Promise.all(
      urls.map(async (url) => {
        const named = mediaNamed(this.urls, workspace.id, url)
        return named && (await findMedia(this.database, workspace.id, named)) !== null
      }),
    )
  }

  /**
   * Finds the files of addresses of ours.
   * @returns in the order of the addresses; null where an address is not ours
   * @throws 503 while the storage is away, 404 when it has lost a file
   */
  async find(workspace: Owner, urls: readonly string[]): Promise<(OwnMedia | null)[]> {
    const named = urls.map((url) => mediaNamed(this.urls, workspace.id, url))
    const firstOf = (id: string) => named.findIndex((one) => one?.id === id)
    return Promise.all(
      named.map(async (one, index) => {
        if (!one) return null
        const file = await findMedia(this.database, workspace.id, one)
        if (!file) return { problem: unknownFile, isPassing: false }
        // For an upload that is named twice, the message gets a copy too.
        if (file instanceof MessageUpload && firstOf(one.id) === index) return { upload: file }
        const media = readMedia(await buffer(await this.files.open(file)))
        return media ? { media } : { problem: 'names a file that is damaged', isPassing: false }
      }),
    )
  }
}
