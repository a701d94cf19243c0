/** A workspace is closed the moment it is deleted; its rows go in batches, whatever breaks meanwhile. */
import { expect } from 'chai'
import {
  endingByThemselves,
  goneWithSetUp,
  removedTables,
  removedWithFiles,
} from '../../src/features/retention/removed-tables.js'
import { tablesOfCalls } from '../../src/features/retention/call-removal.js'
import { tableRules } from '../support/table-rules.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { query } from './database.js'
import { agentInput, newActiveNumber, startUnlimited, succeed } from './fixtures.js'
import { newTextingNumber, sendText } from './message-fixtures.js'
import { insertRecording, keptFile } from './recording-fixtures.js'
import { count, fileIsThere } from './retention-fixtures.js'

const calls = 2_000
const eventsOfACall = 50

describe('a workspace that is deleted', function () {
  this.timeout(180_000)
  let appliance: Appliance
  let tables: string[]
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_MESSAGES_OPT_OUT: 'false' })
    tables = (await tablesOfWorkspaces()).map(({ name }) => name)
  })
  after(async () => appliance?.stop())

  async function tablesOfWorkspaces(): Promise<{ name: string; indexes: number }[]> {
    return query(
      appliance,
      `SELECT c.table_name AS name,
         (SELECT COUNT(*) FROM information_schema.statistics s WHERE s.table_schema = c.table_schema
          AND s.table_name = c.table_name AND s.column_name = 'workspace_id' AND s.seq_in_index = 1) AS indexes
       FROM information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema
         AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE'
       WHERE c.table_schema = ? AND c.column_name = 'workspace_id'`,
      [appliance.databaseName],
    ) as Promise<{ name: string; indexes: number }[]>
  }

  async function fill({ id }: TestWorkspace): Promise<void> {
    await query(
      appliance,
      `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name,
         max_duration, script, live, created_at, ended_at)
       SELECT CONCAT('call_', ?, LPAD(seq, 6, '0')), ?, 'inbound', 'completed', '1', '', '2', '', 60, '[]',
         NULL, UTC_TIMESTAMP(3) - INTERVAL seq SECOND, UTC_TIMESTAMP(3) FROM seq_1_to_${calls}`,
      [id, id],
    )
    await query(
      appliance,
      `INSERT INTO call_events (id, call_id, workspace_id, event, direction, to_party, created_at)
       SELECT CONCAT('evt_', ?, seq), CONCAT('call_', ?, LPAD(1 + seq DIV ${eventsOfACall}, 6, '0')), ?,
         'call.created', 'inbound', '{}', UTC_TIMESTAMP(3) FROM seq_0_to_${calls * eventsOfACall - 1}`,
      [id, id, id],
    )
  }
  const eventsOf = async ({ id }: TestWorkspace) =>
    count(appliance, 'call_events', 'call_id LIKE ?', [`call_${id}%`])
  const isGone = async ({ id }: TestWorkspace) =>
    eventually(
      async () => count(appliance, 'workspaces', 'id = ?', [id]),
      (rows) => rows === 0,
      { withinMs: 90_000, what: 'the end of a workspace’s removal' },
    )
  const rowsLeft = async ({ id }: TestWorkspace) => {
    const left: string[] = []
    for (const table of tables)
      if ((await count(appliance, table, 'workspace_id = ?', [id])) > 0) left.push(table)
    return left
  }

  it('has each table that may grow emptied in batches, by an index', async () => {
    const batched: string[] = [...removedTables.first, ...removedTables.last]
    const known = [...batched, ...removedWithFiles, ...tablesOfCalls, ...goneWithSetUp, ...endingByThemselves]
    const rows = await tablesOfWorkspaces()
    const growing = rows.filter(({ name }) => {
      const rule = tableRules[name]
      return rule && !('kept' in rule)
    })
    expect(
      growing.map(({ name }) => name).filter((name) => !known.includes(name)),
      'tables that retention/removed-tables.ts does not name',
    ).to.deep.equal([])
    for (const table of batched)
      expect(Number(rows.find(({ name }) => name === table)?.indexes), `an index of ${table}`).to.be.above(0)
  })

  it('is not held by a foreign key of any table', async () => {
    const holding = await query(
      appliance,
      `SELECT table_name AS name FROM information_schema.referential_constraints
       WHERE constraint_schema = ? AND referenced_table_name = 'workspaces'
         AND delete_rule NOT IN ('CASCADE', 'SET NULL')`,
      [appliance.databaseName],
    )
    const emptied: string[] = [
      ...[...removedTables.first, ...removedTables.last],
      ...[...removedWithFiles, ...tablesOfCalls],
    ]
    expect(
      holding.map(({ name }) => name as string).filter((name) => !emptied.includes(name)),
      'tables whose foreign key to workspaces lacks ON DELETE CASCADE',
    ).to.deep.equal([])
  })

  it('is closed at once, and gone with its files when it is small', async () => {
    const workspace = await appliance.workspace()
    const { id, api } = workspace
    await newActiveNumber(appliance, workspace)
    const texting = await newTextingNumber(appliance, workspace)
    await succeed(sendText(api, texting.number, { to: '+12025550111' }))
    await succeed(api.post('/opt-outs', { phone_number_id: texting.id, client_number: '+12025550112' }))
    await succeed(api.post('/contacts', { name: 'Zoe', numbers: ['+12025550113'] }))
    await succeed(api.post('/sip-accounts', { title: 'Desk', username: 'desk', password: 'Long enough 1' }))
    const { username, password } = agentInput()
    await succeed(api.post('/agents', { username, password, display_name: 'Jane Doe' }))
    const login = { username, password, device_id: 'desk' }
    const { tokens } = await succeed(api.with({ authorization: undefined }).post('/auth/login', login))
    const agent = api.with({ authorization: `Bearer ${tokens.access_token}` })
    const stream = await EventReader.open(agent)
    const recording = await insertRecording(appliance, workspace, {})
    const shown = await succeed(appliance.operator.get(`/workspaces/${id}`))

    const deleted = await appliance.operator.delete(`/workspaces/${id}`)
    expect(deleted.status).to.equal(200)
    expect(deleted.body).to.deep.equal(shown)
    expect((await api.get('/calls')).status).to.equal(400)
    expect((await agent.get('/me')).status).to.equal(400)
    await eventually(
      async () => Promise.resolve(stream.isClosed),
      (isClosed) => isClosed,
    )
    await isGone(workspace)
    await eventually(
      async () => rowsLeft(workspace),
      ({ length }) => length === 0,
      { what: 'end of the jobs that remove its files' },
    )
    await eventually(
      async () => fileIsThere(keptFile(appliance, recording)),
      (there) => !there,
    )
    await appliance.workspace({ id })
    expect((await api.get('/calls')).status, 'the old key').to.equal(401)
  })

  it('holds up no other workspace, is unusable while it goes, and goes on after kill -9', async () => {
    const workspace = await appliance.workspace()
    const neighbour = await appliance.workspace()
    const texting = await newTextingNumber(appliance, workspace)
    await fill(workspace)
    const text = await succeed(sendText(workspace.api, texting.number, { to: '+12025550111' }))
    await query(appliance, "UPDATE message_queue SET state = 'queued' WHERE message_id = ?", [text.id])
    const { operator } = appliance
    const begun = performance.now()
    await succeed(operator.delete(`/workspaces/${workspace.id}`))
    expect(performance.now() - begun, 'the answer does not wait for 100,000 rows').to.be.below(10_000)
    expect(await eventsOf(workspace), 'rows are left').to.be.above(1_000)

    expect((await workspace.api.get('/calls')).status).to.equal(400)
    expect((await operator.get(`/workspaces/${workspace.id}`)).status).to.equal(404)
    expect((await operator.delete(`/workspaces/${workspace.id}`)).status).to.equal(404)
    expect((await operator.patch(`/workspaces/${workspace.id}`, { title: 'Back' })).status).to.equal(404)
    expect((await operator.post(`/workspaces/${workspace.id}/credit`, { amount: 1 })).status).to.equal(404)
    const listed = (await succeed(operator.get(`/workspaces?search=${workspace.id}`))).data
    expect(listed).to.deep.equal([])
    const taken = await operator.post('/workspaces', {
      ...{ id: workspace.id, title: 'Another', country_code: 'US' },
    })
    expect(taken.status).to.equal(409)
    expect(taken.body.message).to.match(/is still being deleted/)

    let slowest = 0
    for (let written = 0; written < 30; written++) {
      const asked = performance.now()
      await succeed(
        neighbour.api.post('/contacts', {
          name: `Contact ${written}`,
          numbers: [`+1202555${1000 + written}`],
        }),
      )
      slowest = Math.max(slowest, performance.now() - asked)
    }
    expect(slowest, 'the slowest write of another workspace').to.be.below(2_000)

    await appliance.killServer()
    const left = await eventsOf(workspace)
    expect(left, 'it was killed in the midst of it').to.be.above(0)
    await appliance.startServer()
    expect((await workspace.api.get('/calls')).status).to.equal(400)
    await isGone(workspace)
    expect(await rowsLeft(workspace)).to.deep.equal([])
    expect(await eventsOf(workspace)).to.equal(0)
    expect((await succeed(neighbour.api.get('/contacts'))).meta.total).to.equal(30)
    const said = "action = 'workspace.delete' AND target_id = ? AND workspace_id IS NULL"
    expect(await count(appliance, 'audit_log', said, [workspace.id])).to.equal(1)
    await appliance.workspace({ id: workspace.id })
  })
})
