/** Workspaces take turns at converting and storing: one with hundreds of recordings holds up no other's. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { Database } from '../../src/database/database.js'
import { newId } from '../../src/database/ids.js'
import { OutboxJob } from '../../src/database/outbox.js'
import { entities } from '../../src/entities.js'
import { Recording } from '../../src/recordings/recording.entity.js'
import { storeJob } from '../../src/recordings/recording-store.js'
import { eventually } from '../support/api-client.js'
import { wavFile } from '../support/audio-files.js'
import { CallBench } from '../support/call-bench.js'
import { recordingIs } from './recorded.js'

const many = 500

describe('recordings of several workspaces', function () {
  this.timeout(60_000)
  let bench: CallBench
  let database: Database

  before(async () => {
    bench = await CallBench.start('sandbox')
    const { mariadb, databaseName: name } = bench.appliance
    const { host, port, user, password } = mariadb
    database = new Database({ host, port, socket: '', user, password, name, pool: 2 }, entities)
    await database.connect()
  })
  after(async () => {
    await database?.close()
    await bench?.stop()
  })

  it('are stored in turns: another’s is ready while hundreds of one wait', async () => {
    const { mediaDirectory } = bench.appliance
    const recordings = database.platformTable(Recording)
    const jobs = database.platformTable(OutboxJob)
    const id = await bench.call('+12025550100', [{ action: 'recording', params: {} }, { action: 'hangup' }])
    const { id: recordingId } = await recordingIs(bench.api, id, 'ready')
    const model = await recordings.findOneByOrFail({ id: recordingId })
    const other = await bench.appliance.workspace()
    const sound = wavFile(440, 2)
    /** As after calls that have just ended: raw files, rows that are being processed, and their jobs. */
    const add = async (workspace_id: string, count: number, dueAgoMs: number) => {
      const now = new Date(Date.now() - dueAgoMs)
      const left = { status: 'processing', storage: null, storage_key: null, size_bytes: null } as const
      const rows = Array.from({ length: count }, () => {
        return { ...model, ...left, duration_ms: null, id: newId('rec'), workspace_id }
      })
      const incoming = join(mediaDirectory, 'recordings', 'incoming')
      for (const row of rows) await writeFile(join(incoming, `${row.id}.wav`), sound)
      await recordings.insert(rows)
      await jobs.insert(
        rows.map((row) => ({
          ...{ id: newId('job'), kind: storeJob, workspace_id, attempts: 0, created_at: now, due_at: now },
          payload: { recording_id: row.id, key: `${workspace_id}/2026/11/${row.id}.wav` },
        })),
      )
      return rows.map((row) => row.id)
    }
    await add(bench.workspace.id, many, 60_000)
    const [theirs = ''] = await add(other.id, 1, 0)
    await eventually(
      async () => recordings.findOneByOrFail({ id: theirs }),
      ({ status }) => status === 'ready',
      { withinMs: 20_000, what: 'the other’s recording' },
    )
    const waiting = await recordings.countBy({ workspace_id: bench.workspace.id, status: 'processing' })
    expect(waiting).to.be.above(many / 2)
    await jobs.delete({ kind: storeJob })
  })
})
