/** Uploaded pictures of agents: files in the media directory under names that cannot be guessed. */
import { randomBytes } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { In, IsNull, MoreThan, Not } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { UploadedFile } from '../../infrastructure/http/endpoint.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { PublicUrls } from '../../infrastructure/http/public-urls.js'
import { type ImageType, imageTypes, readImage } from '../audio/images/image.js'
import { withoutMetadata } from '../audio/images/metadata.js'
import { OwnedFiles, writeThrough } from '../audio/owned-files.js'
import { addBytes } from '../workspaces/kept-bytes.js'
import { Agent } from './agent.entity.js'

/** Contract, section Limits: 5 MB. */
export const maxAvatarBytes = 5 * 1024 * 1024

/** Larger pictures would take a browser's memory, however small their files are. */
const maxPixels = 10_000

const measuredAtOnce = 200

const endings: Record<ImageType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

/** Where avatars are served, relative to the API. */
export const avatarPath = '/avatars'

/** What the row of an agent says of an uploaded picture. */
type UploadedAvatar = Pick<Agent, 'avatar_bytes'> & { avatar_file: string }

/** A picture to be read once. */
export interface ServedAvatar {
  type: ImageType
  size: number
  stream: Readable
}

export class Avatars {
  private readonly files: OwnedFiles

  constructor(
    private readonly database: Database,
    mediaDirectory: string,
    private readonly urls: PublicUrls,
  ) {
    this.files = new OwnedFiles(join(mediaDirectory, 'avatars'), async (names) => this.ownedOf(names))
  }

  /** Makes the directory, removes pictures that no agent has, and measures those of versions that kept no size. */
  async start(): Promise<void> {
    await this.files.start()
    for (let last = ''; ;) {
      const some = await this.unmeasuredAfter(last)
      for (const agent of some) await this.measure(agent)
      const end = some.at(-1)
      if (!end || some.length < measuredAtOnce) return
      last = end.id
    }
  }

  private async unmeasuredAfter(id: string): Promise<Agent[]> {
    return this.database.platformTable(Agent).find({
      where: { id: MoreThan(id), avatar_file: Not(IsNull()), avatar_bytes: 0 },
      order: { id: 'ASC' },
      take: measuredAtOnce,
    })
  }

  private async measure({ id, workspace_id, avatar_file }: Agent): Promise<void> {
    const file = avatar_file === null ? null : await stat(this.files.pathOf(avatar_file)).catch(() => null)
    if (!file) return
    await this.database.transaction(async (tx) => {
      const now = { id, avatar_file: avatar_file ?? '', avatar_bytes: 0 }
      const { affected } = await tx.update(Agent, now, { avatar_bytes: file.size })
      if (affected === 1) await addBytes(tx, workspace_id, file.size)
    })
  }

  /** Address of an agent's picture: the uploaded one, an external one, or null. */
  urlOf({ workspace_id, avatar, avatar_file }: Pick<Agent, 'workspace_id' | 'avatar' | 'avatar_file'>) {
    return avatar_file ? this.urls.of(workspace_id, `${avatarPath}/${avatar_file}`) : avatar
  }

  /**
   * Keeps a picture and the row that owns it, or neither. What it is its bytes say, not its label; where and with what it
   * was taken is removed.
   * @param own writes the row
   * @throws 400 naming `file` when it is no picture
   */
  async keep<R>(file: UploadedFile, own: (uploaded: UploadedAvatar) => Promise<R>): Promise<R> {
    const bytes = await readFile(file.path)
    const image = readImage(bytes)
    if (!image) throw invalidField('file', `file must be a whole image of type ${imageTypes.join(', ')}`)
    if (image.width > maxPixels || image.height > maxPixels) {
      throw invalidField('file', `file must not be wider or higher than ${maxPixels} pixels`)
    }
    const name = `${randomBytes(16).toString('hex')}.${endings[image.type]}`
    const picture = withoutMetadata(bytes.subarray(0, image.length), image.type)
    return this.files.keep(
      name,
      async (path) => writeThrough(path, picture),
      async () => own({ avatar_file: name, avatar_bytes: picture.length }),
    )
  }

  /** Removes a picture that no agent has any more; if that fails now, a later start removes it. */
  async remove(name: string): Promise<void> {
    await this.files.remove(name).catch(() => undefined)
  }

  /** The picture of a name, or null when there is none. */
  async open(name: string): Promise<ServedAvatar | null> {
    const type = imageTypes.find((one) => new RegExp(`^[0-9a-f]{32}\\.${endings[one]}$`).test(name))
    if (!type) return null
    try {
      const file = await open(this.files.pathOf(name), 'r')
      const { size } = await file.stat()
      return { type, size, stream: file.createReadStream() }
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw error
    }
  }

  private async ownedOf(names: readonly string[]): Promise<Set<string>> {
    const agents = await this.database
      .platformTable(Agent)
      .find({ select: { id: true, avatar_file: true }, where: { avatar_file: In(names as string[]) } })
    return new Set(agents.flatMap(({ avatar_file }) => avatar_file ?? []))
  }
}
