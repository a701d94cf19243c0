/** Audios: files that calls play, sent by people or rendered from text. */
import { copyFile, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { In } from 'typeorm'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import type { UploadedFile } from '../http/endpoint.js'
import { invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InUse } from '../workspaces/in-use.js'
import { type StoredBytes, addBytes } from '../workspaces/kept-bytes.js'
import { checkLimit } from '../workspaces/limits.js'
import { Audio } from './audio.entity.js'
import type { CreateAudio, UpdateAudio, UploadAudio } from './audio.schema.js'
import { type ConvertedAudio, convertUpload, maxAudioSeconds, settle } from './convert.js'
import { OwnedFiles } from './owned-files.js'
import type { Speech } from './speech.js'

const maxTitleLength = 64

export class AudioService {
  private readonly table: WorkspaceTable<Audio>
  private readonly files: OwnedFiles

  constructor(
    private readonly database: Database,
    config: Pick<Config['media'], 'directory'>,
    private readonly speech: Speech,
    private readonly inUse: InUse,
    private readonly limit: number,
    private readonly storedBytes: Pick<StoredBytes, 'check' | 'take'>,
  ) {
    this.table = new WorkspaceTable(database, Audio, { audited: 'audio' })
    this.files = new OwnedFiles(join(config.directory, 'audios'), async (names) => this.ownedOf(names))
  }

  /** Creates the directory, and removes files without a row. */
  async start(): Promise<void> {
    await this.files.start()
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
    return (await this.table.has(workspace, id)) ? this.files.pathOf(fileNameOf(id)) : null
  }

  /** The WAV file of an audio, to be read once, and its bytes. @throws 404 */
  async content(workspace: Owner, id: string): Promise<{ stream: Readable; size: number }> {
    await this.get(workspace, id)
    const file = await open(this.files.pathOf(fileNameOf(id)), 'r').catch((error: unknown) => {
      // It was deleted a moment ago, or the operator lost the file.
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
      convertUpload(file.path, target, workspace.id, async (bytes) =>
        this.storedBytes.check(workspace, bytes),
      ),
    )
  }

  /** Renders speech and keeps it. @throws 400 naming `voice`, or `text` when it is too long to say */
  async speak(workspace: Owner, { title, ...request }: CreateAudio): Promise<Audio> {
    if (request.voice !== undefined && !(await this.speech.checkVoice(request.voice))) {
      throw invalidField('voice', 'voice is not a known voice')
    }
    return this.keep(workspace, { title, source: 'tts', text: request.text }, async (target) => {
      const consumer = { workspaceId: workspace.id, lane: 'speech' } as const
      await this.storedBytes.check(workspace, 0)
      const spokenFile = await this.speech.render(request, consumer)
      await this.storedBytes.check(workspace, (await stat(spokenFile)).size)
      await copyFile(spokenFile, target)
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
      this.database.transaction(async (tx) => {
        const row = await this.table.in(tx).lock(workspace, id)
        if (!row) return
        await this.table.in(tx).delete(workspace, id)
        await addBytes(tx, workspace.id, -row.size)
      }),
    )
    await this.files.remove(fileNameOf(id))
    return audio
  }

  private async ownedOf(names: readonly string[]): Promise<Set<string>> {
    const ids = names.map((name) => name.replace(/\.wav$/, ''))
    const rows = await this.database
      .platformTable(Audio)
      .find({ select: { id: true }, where: { id: In(ids) } })
    return new Set(rows.map(({ id }) => fileNameOf(id)))
  }

  private async keep(
    workspace: Owner,
    fields: Pick<Audio, 'title' | 'source' | 'text'>,
    write: (target: string) => Promise<ConvertedAudio>,
  ): Promise<Audio> {
    const now = new Date()
    const id = newId('au')
    const owner = { id, workspace_id: workspace.id, created_at: now, updated_at: now }
    return this.files.keep(fileNameOf(id), write, async ({ duration, size }) => {
      const row = { ...owner, ...fields, duration: Math.round(duration * 1000) / 1000, size }
      return this.database.transaction(async (tx) => {
        await checkLimit(tx, this.table, workspace, { max: this.limit, what: 'audios' })
        await this.storedBytes.take(tx, workspace, size)
        return this.table.in(tx).insert(row)
      })
    })
  }
}

function fileNameOf(id: string): string {
  return `${id}.wav`
}

/** A title from a file's name: without its ending and control characters. */
function titleOf(fileName: string): string {
  const plain = fileName
    .replace(/\.[^.]*$/, '')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return [...plain].slice(0, maxTitleLength).join('') || 'Audio'
}
