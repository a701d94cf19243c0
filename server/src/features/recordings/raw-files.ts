/**
 * What the switch writes while it records, and what is made of it until that is stored. Switch and server share
 * this folder: they run on one machine (or mount it at one path).
 */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RecordingFormat } from './recording.entity.js'

/** A raw recording: 16-bit PCM behind the plain header of a WAV file. */
export interface RawAudio {
  readonly path: string
  readonly rate: number
  readonly channels: number
  /** Milliseconds of whole frames that are there. */
  readonly duration: number
}

const headerBytes = 44

export class RawFiles {
  constructor(private readonly directory: string) {}

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true })
  }

  /** Where the switch writes a recording. */
  pathOf(id: string): string {
    return join(this.directory, `${id}.wav`)
  }

  /** The recording that a file belongs to; null for any other path. */
  idOf(path: string): string | null {
    if (dirname(path) !== this.directory) return null
    return /\/(rec_[0-9a-z]+)\.wav$/.exec(path)?.[1] ?? null
  }

  /** What a raw recording is converted to. */
  convertedOf(id: string, format: RecordingFormat): string {
    return join(this.directory, `${id}.converted.${format}`)
  }

  /**
   * What the switch has written. The length is that of the file, as one that was cut off has none in its header.
   * @returns null when there is no file, or no sound in it
   */
  async read(id: string): Promise<RawAudio | null> {
    const path = this.pathOf(id)
    const file = await open(path, 'r').catch((error: unknown) => {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw error
    })
    if (!file) return null
    try {
      const { size } = await file.stat()
      const header = Buffer.alloc(headerBytes)
      await file.read(header as Uint8Array, 0, headerBytes, 0)
      const [channels, rate] = [header.readUInt16LE(22), header.readUInt32LE(24)]
      if (size <= headerBytes || rate === 0 || channels === 0) return null
      const frames = Math.floor((size - headerBytes) / (2 * channels))
      return { path, rate, channels, duration: Math.round((1000 * frames) / rate) }
    } finally {
      await file.close()
    }
  }

  /** Removes all that is left of a recording. */
  async remove(id: string): Promise<void> {
    const paths = [this.pathOf(id), this.convertedOf(id, 'wav'), this.convertedOf(id, 'mp3')]
    await Promise.all(paths.map(async (path) => rm(path, { force: true })))
  }

  /** Recordings of which something is left that was not written to for so many milliseconds. */
  async idle(ms: number): Promise<string[]> {
    const ids = new Set<string>()
    for (const name of await readdir(this.directory)) {
      const [, id] = /^(rec_[0-9a-z]+)\./.exec(name) ?? []
      const found = id && (await stat(join(this.directory, name)).catch(() => null))
      if (id && found && Date.now() - found.mtimeMs > ms) ids.add(id)
    }
    return [...ids]
  }
}
