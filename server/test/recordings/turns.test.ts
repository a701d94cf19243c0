/** Workspaces take turns at converting and storing, and calls go on whatever that waits for. */
import { expect } from 'chai'
import type { Database } from '../../src/infrastructure/database/database.js'
import { OutboxJob } from '../../src/infrastructure/database/outbox.js'
import { Recording } from '../../src/features/recordings/recording.entity.js'
import { storeJob } from '../../src/features/recordings/recording-store.js'
import type { TestWorkspace } from '../support/appliance.js'
import { eventually } from '../support/api-client.js'
import { CallBench } from '../support/call-bench.js'
import { addUnstored, connectTo, firstRecording } from './backlog.js'

const many = 500

describe('recordings of several workspaces', function () {
  this.timeout(60_000)
  let bench: CallBench
  let database: Database
  let model: Recording
  let other: TestWorkspace

  before(async () => {
    bench = await CallBench.start('sandbox', {
      settings: { JACKFIELD_DATABASE_POOL: '2', JACKFIELD_DATABASE_BACKGROUND_POOL: '2' },
    })
    database = await connectTo(bench.appliance)
    model = await firstRecording(bench, database)
    other = await bench.appliance.workspace()
  })
  after(async () => {
    await database?.close()
    await bench?.stop()
  })

  const add = async (workspace_id: string, count: number, dueAgoMs: number) =>
    addUnstored(database, bench.appliance.mediaDirectory, model, { workspace_id, count, dueAgoMs })
  const countOf = async (workspace_id: string, status: 'ready' | 'processing') =>
    database.platformTable(Recording).countBy({ workspace_id, status })

  it('are stored in turns: another’s is ready while hundreds of one wait', async () => {
    await add(bench.workspace.id, many, 60_000)
    await add(other.id, 1, 0)
    await eventually(
      async () => countOf(other.id, 'ready'),
      (count) => count === 1,
      { withinMs: 20_000, what: 'the other’s recording' },
    )
    expect(await countOf(bench.workspace.id, 'processing')).to.be.above(many / 2)
    await database.platformTable(OutboxJob).delete({ kind: storeJob })
  })

  it('hold up no call while the jobs that store them have all connections of background work', async () => {
    const waiting = async () => {
      const [row] = await database.source.query<{ n: string }[]>(
        `SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = ? AND info LIKE 'INSERT INTO kept_bytes%'`,
        [bench.appliance.databaseName],
      )
      return Number(row?.n)
    }
    await database.source.transaction(async (tx) => {
      await tx.query('SELECT * FROM kept_bytes FOR UPDATE')
      await add(bench.workspace.id, 5, 60_000)
      await add(other.id, 5, 60_000)
      await eventually(waiting, (count) => count === 2, { withinMs: 20_000, what: 'connections that wait' })
      const id = await bench.call('+12025550100', [
        { action: 'tts', params: { text: 'Hello.' } },
        { action: 'hangup' },
      ])
      expect((await bench.ended(id)).status).to.equal('completed')
      expect(await waiting(), 'still held').to.equal(2)
    })
    await eventually(
      async () => countOf(other.id, 'processing'),
      (count) => count === 0,
      { withinMs: 30_000, what: 'stored recordings' },
    )
  })
})
