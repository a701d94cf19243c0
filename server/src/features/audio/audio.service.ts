/** Audios: files that calls play, sent by people or rendered from text. */
import { copyFile, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type EntityManager, In } from 'typeorm'
import type { Config } from '../../config/config.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { UploadedFile } from '../../infrastructure/http/endpoint.js'
import { invalidField, notFound } from '../../infrastructure/http/errors.js'
import {
  type Afterwards,
  type ResourceRow,
  ResourceService,
} from '../../infrastructure/resources/resource-service.js'
import type { InUse } from '../../infrastructure/resources/in-use.js'
import { type StoredBytes, addBytes } from '../workspaces/kept-bytes.js'
import type { KeptValues } from '../../lib/kept-values.js'
import { Audio } from './audio.entity.js'
import { audioResource } from './audio.resource.js'
import type { CreateAudio, UpdateAudio, UploadAudio } from './audio.schema.js'
import { type ConvertedAudio, convertUpload, maxAudioSeconds, settle } from './convert.js'
import { OwnedFiles } from './owned-files.js'
import type { Speech } from './speech.js'

const maxTitleLength = 64

/** What is known of an audio once its file is written; the file is named by its id. */
type WrittenAudio = Omit<Audio, keyof ResourceRow> & { id: string }

export class AudioService extends ResourceService<Audio, WrittenAudio, UpdateAudio> {
  private readonly files: OwnedFiles

  constructor(
    database: Database,
    config: Pick<Config['media'], 'directory'>,
    private readonly speech: Speech,
    inUse: InUse,
    max: number,
    private readonly storedBytes: Pick<StoredBytes, 'check' | 'take'>,
    private readonly kept: Pick<KeptValues, 'get'>,
  ) {
    super(audioResource, { database, inUse, max, kept })
    this.files = new OwnedFiles(join(config.directory, 'audios'), async (names) => this.ownedOf(names))
  }

  /** Creates the directory, and removes files without a row. */
  async start(): Promise<void> {
    await this.files.start()
  }

  /** Path of the WAV file of an audio, or null when the workspace has no such audio. */
  async fileOf(workspace: Owner, id: string): Promise<string | null> {
    return this.kept.get(workspace.id, `audio ${id}`, async () =>
      (await this.table.has(workspace, id)) ? this.files.pathOf(fileNameOf(id)) : null,
    )
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

  protected rowOf(base: ResourceRow, audio: WrittenAudio): Audio {
    return { ...base, ...audio }
  }

  protected changesOf(input: UpdateAudio): Partial<Audio> {
    return input
  }

  protected override async written(
    tx: EntityManager,
    { workspace_id: id, size }: Audio,
    before: Audio | null,
  ): Promise<undefined> {
    if (!before) await this.storedBytes.take(tx, { id }, size)
  }

  protected override async deleting(tx: EntityManager, audio: Audio): Promise<Afterwards> {
    await addBytes(tx, audio.workspace_id, -audio.size)
    return async () => this.files.remove(fileNameOf(audio.id))
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
    const id = newId('au')
    return this.files.keep(fileNameOf(id), write, async ({ duration, size }) =>
      this.create(workspace, { id, ...fields, duration: Math.round(duration * 1000) / 1000, size }),
    )
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
