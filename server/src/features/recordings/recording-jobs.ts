/**
 * Converts and stores what was recorded, and removes what was deleted: outbox jobs, tried until they succeed. Each
 * may be killed at any point and begun again.
 */
import { access } from 'node:fs/promises'
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Job } from '../../infrastructure/database/outbox.js'
import { ScriptFailedError } from '../audio/child-process.js'
import { addBytes } from '../workspaces/kept-bytes.js'
import type { Announcements } from './announcements.js'
import { encode } from './encode.js'
import type { RawFiles } from './raw-files.js'
import type { RecordingStore, RemovePayload, StorePayload } from './recording-store.js'
import { StorageUnavailableError } from '../../infrastructure/storage/storage.js'
import type { Storages } from '../../infrastructure/storage/storages.js'
import type { Recording, RecordingFormat } from './recording.entity.js'
import { notStored, recordingFailures } from './recording-failures.js'

interface Options {
  database: Database
  store: RecordingStore
  raw: RawFiles
  storages: Storages
  announcements: Announcements
  /** In the transaction that makes a voicemail ready. */
  voicemailReceived: (tx: EntityManager, voicemail: Recording) => Promise<void>
}

/** What cannot be decoded so many times is given up; before, it may have been the fault of a full disk. */
const decodingAttempts = 5

const { nothingRecorded, undecodable, notConverted } = recordingFailures

const mediaTypes: Record<RecordingFormat, string> = { wav: 'audio/wav', mp3: 'audio/mpeg' }

export function mediaTypeOf(format: RecordingFormat): string {
  return mediaTypes[format]
}

export class RecordingJobs {
  constructor(private readonly options: Options) {}

  async store(job: Job): Promise<void> {
    const { store, raw } = this.options
    const { recording_id: id, key } = job.payload as StorePayload
    const recording = await store.load(id)
    if (recording?.status === 'processing') {
      try {
        const failure = await this.process(recording, key, job.attempts)
        if (failure) await store.fail(recording, failure, ['processing'])
        // What cannot be decoded stays for a while: somebody may want to look at it.
        if (failure === undecodable) return
      } catch (error) {
        await store.update(id, { error: reasonOf(error) }).catch(() => undefined)
        throw error
      }
    } else if (!recording) {
      // Deleted while an earlier attempt stored it.
      await this.options.storages.current.remove(key)
    }
    await raw.remove(id)
  }

  async remove(job: Job): Promise<void> {
    for (const { storage, key } of (job.payload as RemovePayload).files) {
      await this.options.storages.of(storage).remove(key)
    }
  }

  /** @returns why there is nothing to keep; null when it is kept */
  private async process(recording: Recording, key: string, attempts: number): Promise<string | null> {
    const { store, storages, raw, database, announcements } = this.options
    const storage = storages.current
    const { id, format } = recording
    const made = await this.convert(recording, attempts)
    if (typeof made === 'string') return made
    await store.update(id, { storage: storage.kind, storage_key: key, ...made })
    await storage.put(key, raw.convertedOf(id, format), mediaTypeOf(format))
    const isKept = await database.transaction(async (tx) => {
      const kept = { ...recording, ...made, status: 'ready', error: null } as const
      const isOurs = await store.settle(tx, id, { status: 'ready', error: null })
      if (isOurs) {
        await addBytes(tx, recording.workspace_id, made.size_bytes)
        await announcements.ready(tx, kept)
        if (kept.kind === 'voicemail') await this.options.voicemailReceived(tx, kept)
      }
      return isOurs
    })
    if (!isKept) await storage.remove(key)
    return null
  }

  /** @returns the measures of the converted file, or why there is none */
  private async convert(
    recording: Recording,
    attempts: number,
  ): Promise<{ size_bytes: number; duration_ms: number } | string> {
    const { raw } = this.options
    const { id, format, size_bytes, duration_ms } = recording
    const target = raw.convertedOf(id, format)
    // An earlier attempt got so far and could not store it.
    if (size_bytes !== null && duration_ms !== null && (await isThere(target))) {
      return { size_bytes, duration_ms }
    }
    const audio = await raw.read(id)
    if (!audio || audio.duration === 0) return nothingRecorded
    try {
      return { size_bytes: await encode(audio, target, recording), duration_ms: audio.duration }
    } catch (error) {
      if (!(error instanceof ScriptFailedError) || attempts + 1 < decodingAttempts) throw error
      return undecodable
    }
  }
}

/** Why a recording is not ready yet, as the API may show it. */
function reasonOf(error: unknown): string {
  return error instanceof StorageUnavailableError ? notStored(error.message) : notConverted
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
