/** Recordings for tests that need some to be there, and not that a switch has made them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../src/infrastructure/database/ids.js'
import type { Appliance } from '../support/appliance.js'
import { wavFile } from '../support/audio-files.js'
import { query } from './database.js'

export interface RecordingRow {
  id: string
  workspace_id: string
  call_id: string
  kind: 'call' | 'voicemail'
  status: string
  format: 'wav' | 'mp3'
  channels: number
  channel_id: string
  from_number: string
  to_number: string
  storage: string | null
  storage_key: string | null
  size_bytes: number | null
  duration_ms: number | null
  created_at: Date
  ended_at: Date | null
}

/** What a kept recording holds: a tone of 500 ms. */
export const recordedAudio = wavFile(440, 0.5, { rate: 8_000 })

/** Where the server keeps a recording. */
export function keptFile(appliance: Appliance, row: Pick<RecordingRow, 'storage_key'>): string {
  return join(appliance.mediaDirectory, 'recordings/kept', row.storage_key ?? '')
}

/** Where the switch writes a recording. */
export function rawFile(appliance: Appliance, id: string): string {
  return join(appliance.mediaDirectory, 'recordings/incoming', `${id}.wav`)
}

/** A recording that the switch is writing, of an answered call. */
export async function startRecording(
  appliance: Appliance,
  workspace: { id: string },
  callId: string,
): Promise<RecordingRow> {
  const [leg] = await query(appliance, 'SELECT channel_id FROM call_legs WHERE call_id = ?', [callId])
  const row = await insertRecording(appliance, workspace, {
    ...{ call_id: callId, channel_id: leg.channel_id as string, status: 'recording' },
    ...{ storage: null, storage_key: null, size_bytes: null, duration_ms: null, ended_at: null },
  })
  await switchCommand(appliance, `uuid_record ${row.channel_id} start ${rawFile(appliance, row.id)}`)
  return row
}

/** Has the switch do something, past the server. */
export async function switchCommand(appliance: Appliance, command: string): Promise<string> {
  const address = new URL('../../../../installer/esl.mjs', import.meta.url)
  const { eslApi } = (await import(address.href)) as {
    eslApi: (target: Appliance['eventSocket'], command: string) => Promise<string>
  }
  return eslApi(appliance.eventSocket, command)
}

/** A recording that is ready, its file on the disk; or one in another status, with its row alone. */
export async function insertRecording(
  appliance: Appliance,
  workspace: { id: string },
  changes: Partial<RecordingRow> = {},
): Promise<RecordingRow> {
  const id = newId('rec')
  const row: RecordingRow = {
    ...{ id, workspace_id: workspace.id, call_id: newId('call'), kind: 'call', status: 'ready' },
    ...{ format: 'wav', channels: 1, channel_id: 'c0ffee00-0000-4000-8000-000000000000' },
    ...{ from_number: '+12025550199', to_number: '+12025550100' },
    ...{ storage: 'disk', storage_key: `${workspace.id}/2026/11/${id}.wav` },
    ...{ size_bytes: recordedAudio.length, duration_ms: 500 },
    ...{ created_at: new Date(), ended_at: new Date() },
    ...changes,
  }
  if (row.storage_key) {
    const path = keptFile(appliance, row)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, recordedAudio)
  }
  const columns = Object.keys(row)
  await query(
    appliance,
    `INSERT INTO recordings (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    Object.values(row),
  )
  return row
}
