/** Audios: files that calls play, sent by people or rendered from text. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { In, QueryFailedError } from 'typeorm'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import type { UploadedFile } from '../http/endpoint.js'
import { invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InUse } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
import { Audio } from './audio.entity.js'
import type { CreateAudio, UpdateAudio, UploadAudio } from './audio.schema.js'
import { type ConvertedAudio, convertUpload, maxAudioSeconds, settle } from './convert.js'
import type { Speech } from './speech.js'

/** A file without a row is of an upload under way, unless it is older than this. */
const orphanMs = 3_600_000

/** Files that are looked up at once. */
const sweepBatch = 500

const maxTitleLength = 64

export class AudioService {
  private readonly table: WorkspaceTable<Audio>
  private readonly directory: string

  constructor(
    private readonly database: Database,
    config: Config['media'],
    private readonly speech: Speech,
    private readonly inUse: InUse,
    private readonly limit: number,
  ) {
    this.table = new WorkspaceTable(database, Audio, { audited: 'audio' })
    this.directory = join(config.directory, 'audios')
  }

  /** Makes the directory, and removes files whose row was never written or is gone. */
  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true })
    const names = await readdir(this.directory)
    for (let from = 0; from < names.length; from += sweepBatch) {
      await this.removeOrphans(names.slice(from, from + sweepBatch))
    }
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<Audio>> {
    return this.table.list(workspace, { ...request, searched: ['title'] })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Audio> {
    const audio = await this.table.find(workspace, id)
    if (!audio) throw notFound(`Audio ${id} not found`)
    return audio
  }

  /** Path of the WAV file of an audio, or null when the workspace has no such audio. */
  async fileOf(workspace: Owner, id: string): Promise<string | null> {
    const audio = await this.table.find(workspace, id)
    return audio && this.pathOf(audio.id)
  }

  /** The WAV file of an audio, to be read once, and its bytes. @throws 404 */
  async content(workspace: Owner, id: string): Promise<{ stream: Readable; size: number }> {
    await this.get(workspace, id)
    const file = await open(this.pathOf(id), 'r').catch((error: unknown) => {
      // It was deleted a moment ago, or the operator lost it.
      if ((error as { code?: string }).code === 'ENOENT') throw notFound(`Audio ${id} not found`)
      throw error
    })
    const { size } = await file.stat()
    return { stream: file.createReadStream(), size }
  }

  /** Keeps a file that somebody sent. @throws 400 naming `file` when it is no audio */
  async upload(workspace: Owner, file: UploadedFile, input: UploadAudio): Promise<Audio> {
    const title = input.title ?? titleOf(file.name)
    return this.keep(workspace, { title, source: 'upload', text: null }, async (target) =>
      convertUpload(file.path, target),
    )
  }

  /** Renders speech and keeps it. @throws 400 naming `voice`, or `text` when it is too long to say */
  async speak(workspace: Owner, { title, ...request }: CreateAudio): Promise<Audio> {
    if (request.voice !== undefined && !(await this.speech.checkVoice(request.voice))) {
      throw invalidField('voice', 'voice is not a known voice')
    }
    return this.keep(workspace, { title, source: 'tts', text: request.text }, async (target) => {
      await copyFile(await this.speech.render(request), target)
      const spoken = await settle(target)
      if (spoken.duration > maxAudioSeconds) {
        throw invalidField('text', `text must not take longer than ${maxAudioSeconds} seconds to say`)
      }
      return spoken
    })
  }

  /** @throws 404 */
  async update(workspace: Owner, id: string, input: UpdateAudio): Promise<Audio> {
    const changed = { ...(await this.get(workspace, id)), ...input, updated_at: new Date() }
    await this.table.update(workspace, id, { ...input, updated_at: changed.updated_at })
    return changed
  }

  /** @throws 404 unknown, 409 in use */
  async delete(workspace: Owner, id: string): Promise<Audio> {
    const audio = await this.get(workspace, id)
    await this.inUse.delete('audio', workspace, id, `The audio ${audio.title}`, async () =>
      this.table.delete(workspace, id),
    )
    await rm(this.pathOf(id), { force: true })
    return audio
  }

  private async removeOrphans(names: readonly string[]): Promise<void> {
    const idOf = (name: string) => name.replace(/\.wav$/, '')
    const rows = await this.database
      .platformTable(Audio)
      .find({ select: { id: true }, where: { id: In(names.map(idOf)) } })
    const known = new Set(rows.map(({ id }) => id))
    for (const name of names) {
      if (known.has(idOf(name))) continue
      const path = join(this.directory, name)
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs >= orphanMs) await rm(path, { force: true })
    }
  }

  /** The file comes first, synced to disk, and then its row: no row is without its file. */
  private async keep(
    workspace: Owner,
    fields: Pick<Audio, 'title' | 'source' | 'text'>,
    write: (target: string) => Promise<ConvertedAudio>,
  ): Promise<Audio> {
    const now = new Date()
    const id = newId('au')
    const path = this.pathOf(id)
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      const { duration, size } = await write(temporary)
      await rename(temporary, path)
      await syncDirectory(dirname(path))
      const owner = { id, workspace_id: workspace.id, created_at: now, updated_at: now }
      const row = { ...owner, ...fields, duration: Math.round(duration * 1000) / 1000, size }
      return await this.database.transaction(async (tx) => {
        await checkLimit(tx, this.table, workspace, { max: this.limit, what: 'audios' })
        return this.table.in(tx).insert(row)
      })
    } catch (error) {
      await rm(temporary, { force: true })
      if (!mayHaveWritten(error)) await rm(path, { force: true })
      throw error
    }
  }

  private pathOf(id: string): string {
    return join(this.directory, `${id}.wav`)
  }
}

/** A title from a file's name: without its ending and control characters. */
function titleOf(fileName: string): string {
  const plain = fileName
    .replace(/\.[^.]*$/, '')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return [...plain].slice(0, maxTitleLength).join('') || 'Audio'
}

/**
 * Whether a row may be there although its insert failed: the link broke before the database answered. Its
 * file stays then, and is removed at a later start if there is no row.
 */
function mayHaveWritten(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { sqlState?: string }).sqlState === undefined
  )
}

/** A new name in a directory survives a crash only when the directory is written too. */
async function syncDirectory(path: string): Promise<void> {
  const directory: FileHandle = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
