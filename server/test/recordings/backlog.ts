/** Recordings that wait to be stored, as after many calls that have just ended. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Database } from '../../src/infrastructure/database/database.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { OutboxJob } from '../../src/infrastructure/database/outbox.js'
import { entities } from '../../src/app/entities.js'
import { Recording } from '../../src/features/recordings/recording.entity.js'
import { storeJob } from '../../src/features/recordings/recording-store.js'
import type { Appliance } from '../support/appliance.js'
import { wavFile } from '../support/audio-files.js'
import type { CallBench } from '../support/call-bench.js'
import { recordingIs } from './recorded.js'

/** The database of a test's appliance, over connections of the test's own. */
export async function connectTo({ mariadb, databaseName: name }: Appliance): Promise<Database> {
  const { host, port, socket, user, password } = mariadb
  const database = new Database({ host, port, socket, user, password, name, pool: 2 }, entities)
  await database.connect()
  return database
}

/** A recording of a call, to make others of. */
export async function firstRecording(bench: CallBench, database: Database): Promise<Recording> {
  const id = await bench.call('+12025550100', [{ action: 'recording', params: {} }, { action: 'hangup' }])
  const { id: recordingId } = await recordingIs(bench.api, id, 'ready')
  return database.platformTable(Recording).findOneByOrFail({ id: recordingId })
}

/** Adds raw files of two seconds, rows that are being processed, and their jobs. @returns the ids of the rows */
export async function addUnstored(
  database: Database,
  mediaDirectory: string,
  model: Recording,
  { workspace_id, count, dueAgoMs }: { workspace_id: string; count: number; dueAgoMs: number },
): Promise<string[]> {
  const now = new Date(Date.now() - dueAgoMs)
  const left = { status: 'processing', storage: null, storage_key: null, size_bytes: null } as const
  const rows = Array.from({ length: count }, () => {
    return { ...model, ...left, duration_ms: null, id: newId('rec'), workspace_id }
  })
  const sound = wavFile(440, 2)
  const incoming = join(mediaDirectory, 'recordings', 'incoming')
  for (const { id } of rows) await writeFile(join(incoming, `${id}.wav`), sound)
  await database.platformTable(Recording).insert(rows)
  await database.platformTable(OutboxJob).insert(
    rows.map(({ id }) => ({
      ...{ id: newId('job'), kind: storeJob, workspace_id, attempts: 0, created_at: now, due_at: now },
      payload: { recording_id: id, key: `${workspace_id}/2026/11/${id}.wav` },
    })),
  )
  return rows.map(({ id }) => id)
}
