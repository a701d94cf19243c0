/** Everything that grows has an end of life, and the money adds up afterwards. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { walksOf } from '../../src/features/retention/all-aging-rows.js'
import { tablesOfCalls } from '../../src/features/retention/call-removal.js'
import { numberedEntries, unnumberedEntries } from '../../src/features/retention/ledger-folding.js'
import { tableRules } from '../support/table-rules.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { fieldsOf, newDelivery, startUnlimited, succeed } from './fixtures.js'
import { sendText } from './message-fixtures.js'
import {
  age,
  count,
  deliveredTexts,
  endedCalls,
  furnishCall,
  grownWorkspace,
  newOddRates,
  sweepNow,
} from './retention-fixtures.js'

const client = '+12025550111'

describe('retention', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let deck: string
  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_RETENTION_CALLS_MIN_DAYS: '7',
      JACKFIELD_RETENTION_CALLS_MAX_DAYS: '400',
      JACKFIELD_MESSAGES_OPT_OUT: 'false',
    })
    deck = await newOddRates(appliance)
  })
  after(async () => appliance?.stop())

  const check = async ({ id }: TestWorkspace) =>
    succeed(appliance.operator.get(`/workspaces/${id}/credit/check`))
  const usage = async ({ api }: TestWorkspace) =>
    (await succeed(api.get(`/usage?from=${ago(300)}`))) as object

  it('has a rule for every table of the database', async () => {
    const tables = await query(
      appliance,
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? AND table_type = 'BASE TABLE'",
      [appliance.databaseName],
    )
    const names = tables.map(({ name }) => name as string)
    expect(
      names.filter((name) => !(name in tableRules)),
      'tables that no rule of support/table-rules.ts names',
    ).to.deep.equal([])
    for (const [name, rule] of Object.entries(tableRules))
      if ('with' in rule) expect(tableRules, `${name} goes with ${rule.with}`).to.have.property(rule.with)
  })

  it('deletes all that refers to a call with it', async () => {
    const references = await query(
      appliance,
      `SELECT table_name AS name FROM information_schema.key_column_usage
       WHERE table_schema = ? AND referenced_table_name = 'calls'`,
      [appliance.databaseName],
    )
    expect([...tablesOfCalls]).to.have.members(references.map(({ name }) => name as string))
  })

  it('finds what is old in an index, and never reads a whole table', async () => {
    const explained = async (sql: string, values: unknown[]) =>
      (await query(appliance, `EXPLAIN ${sql}`, values)) as Record<
        'table' | 'type' | 'key' | 'Extra',
        string
      >[]
    const nothing = async () => Promise.resolve(0)
    const walks = walksOf({
      database: new Database({} as never, []),
      calls: { remove: async () => Promise.resolve({}) },
      messages: { remove: async () => Promise.resolve({}), removeEmpty: async () => Promise.resolve({}) },
      deleteRecordings: nothing,
    })
    const found = await endedCalls(await grownWorkspace(appliance, deck), 3)
    for (const walk of walks) {
      for (const after of [null, { created_at: new Date(), id: 'x' }]) {
        const [row] = await explained(...walk.query('acme', new Date(), after))
        expect(row?.type, walk.name).to.be.oneOf(['range', 'ref'])
        expect(row?.key, walk.name).to.be.a('string')
        expect(row?.Extra ?? '', walk.name).not.to.match(/filesort|temporary/i)
      }
    }
    for (const table of [...tablesOfCalls, 'calls'] as const) {
      const column = table === 'calls' ? 'id' : 'call_id'
      const [row] = await explained(`DELETE FROM ${table} WHERE ${column} IN (?)`, [[...found, 'call_x']])
      // A table that has no more rows than are asked for may be read as it is: these have an index all the same.
      const indexes = await query(
        appliance,
        `SHOW INDEX FROM ${table} WHERE Column_name = ? AND Seq_in_index = 1`,
        [column],
      )
      expect(indexes.length, `an index of ${table}.${column}`).to.be.above(0)
      expect(row, table).to.be.an('object')
    }
    for (const sql of [unnumberedEntries, numberedEntries]) {
      const values = sql === unnumberedEntries ? ['acme', new Date()] : ['acme']
      const [row] = await explained(sql, values)
      expect(row?.key).to.equal('credit_entries_by_sequence')
      expect(row?.Extra ?? '').not.to.match(/filesort|temporary/i)
    }
  })

  it('keeps everything until somebody says otherwise', async () => {
    const { api } = await appliance.workspace()
    const profile = await succeed(api.get('/profile'))
    expect(profile).to.include({ call_retention_days: null, ledger_retention_days: null })
    expect(profile.retention).to.deep.equal({
      calls: { days: 400, min_days: 7, max_days: 400 },
      messages: { days: null, min_days: 1, max_days: null },
      recordings: { days: null, min_days: 1, max_days: null },
      ledger: { days: null, min_days: 90, max_days: null },
      webhook_deliveries: { days: 30, min_days: 1, max_days: null },
      audit_log: { days: 365, min_days: 90, max_days: null },
    })
  })

  it('is set within the bounds of the operator', async () => {
    const workspace = await appliance.workspace()
    const { api } = workspace
    const wrong = {
      call_retention_days: [6, 401, 0, 1.5, '30'],
      message_retention_days: [0, -1, 36_501],
      ledger_retention_days: [89, 0],
      webhook_delivery_retention_days: [0],
      audit_log_retention_days: [1, 89],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const answer = await api.patch('/profile', { [field]: value })
        expect(fieldsOf(answer), `${field} ${value}`).to.deep.equal([field])
        const { operator } = appliance
        expect(
          fieldsOf(await operator.patch(`/workspaces/${workspace.id}`, { [field]: value })),
        ).to.deep.equal([field])
      }
    const tooFew = await api.patch('/profile', { call_retention_days: 6 })
    expect(tooFew.body.message).to.equal(
      'call_retention_days must be at least 7: the operator sets these bounds',
    )
    const set = { call_retention_days: 30, message_retention_days: 1, ledger_retention_days: 90 }
    expect(await succeed(api.patch('/profile', set))).to.include(set)
    expect((await succeed(api.get('/profile'))).retention.calls.days).to.equal(30)
    expect(await succeed(appliance.operator.get(`/workspaces/${workspace.id}`))).to.include(set)
  })

  it('deletes ended calls and messages that are old, and no others', async () => {
    const workspace = await grownWorkspace(appliance, deck)
    const other = await grownWorkspace(appliance, deck)
    const [old, young, others] = [
      await endedCalls(workspace, 3),
      await endedCalls(workspace, 2, '+12025550106'),
      await endedCalls(other, 1),
    ]
    const recording = await furnishCall(appliance, workspace, old[0] ?? '')
    await furnishCall(appliance, workspace, young[0] ?? '')
    const from = workspace.texting.number
    const texts = await deliveredTexts(appliance, workspace, from, client, 3)
    const lone = await deliveredTexts(appliance, workspace, from, '+12025550112', 1)
    const waiting = (await succeed(sendText(workspace.api, from, { to: client }))).id as string
    const otherTexts = await deliveredTexts(appliance, other, other.texting.number, client, 1)
    const live = (await succeed(workspace.api.post('/calls/make', { to: { number: '+12025550102' } }))).data
      .call_id as string
    await age(appliance, 'calls', [...old, live, ...others], 31)
    await age(appliance, 'messages', [...texts.slice(0, 2), ...lone, waiting, ...otherTexts], 31)
    await query(appliance, 'UPDATE conversations SET created_at = created_at - INTERVAL 31 DAY')
    const before = { usage: await usage(workspace), check: await check(workspace) }
    expect(before.check.problems).to.deep.equal([])
    const exported = String((await workspace.api.get(`/usage/export?from=${ago(60)}`)).body)
    const set = { call_retention_days: 30, message_retention_days: 30 }
    await succeed(workspace.api.patch('/profile', set))

    await sweepNow(appliance)
    const conversation = async () =>
      count(appliance, 'conversations', 'workspace_id = ? AND client_number = ?', [
        workspace.id,
        '12025550112',
      ])
    await eventually(conversation, (left) => left === 0, { what: 'the sweep of an empty conversation' })
    for (const id of old) expect((await workspace.api.get(`/calls/${id}`)).status).to.equal(404)
    for (const table of tablesOfCalls)
      expect(await count(appliance, table, 'call_id IN (?)', [old]), table).to.equal(0)
    for (const id of [...young, live]) {
      expect((await workspace.api.get(`/calls/${id}`)).status).to.equal(200)
      expect(await count(appliance, 'call_events', 'call_id = ?', [id])).to.be.above(0)
    }
    expect(
      (await workspace.api.get(`/recordings/${recording}`)).status,
      'kept for as long as it says',
    ).to.equal(200)
    expect((await other.api.get(`/calls/${others[0]}`)).status).to.equal(200)
    expect((await other.api.get(`/messages/${otherTexts[0]}`)).status).to.equal(200)
    for (const id of [...texts.slice(0, 2), ...lone])
      expect((await workspace.api.get(`/messages/${id}`)).status).to.equal(404)
    for (const id of [texts[2], waiting])
      expect((await workspace.api.get(`/messages/${id}`)).status).to.equal(200)

    expect(await usage(workspace)).to.deep.equal(before.usage)
    expect(String((await workspace.api.get(`/usage/export?from=${ago(60)}`)).body)).to.equal(exported)
    const after = await check(workspace)
    expect(after.problems).to.deep.equal([])
    expect(after).to.deep.include({ balance: before.check.balance, entries: before.check.entries })
    const entries = await succeed(workspace.api.get('/credit/entries?limit=100'))
    const ofOld = entries.data.filter(({ reference }: { reference: string }) => old.includes(reference))
    expect(ofOld).to.have.length(3)
    for (const entry of ofOld) expect(entry).to.include({ is_subject_deleted: true, note: '' })
    await succeed(workspace.api.post(`/calls/${live}/hangup`))
  })

  it('carries old entries of the ledger forward as one, and the balance is still their sum', async () => {
    const workspace = await grownWorkspace(appliance, deck)
    const calls = await endedCalls(workspace, 4)
    const texts = await deliveredTexts(appliance, workspace, workspace.texting.number, client, 3)
    await age(appliance, 'calls', calls.slice(0, 3), 100)
    await age(appliance, 'messages', texts.slice(0, 1), 100)
    // Entries are in the order in which they were booked, and the first two are the top-up and the first call.
    await query(
      appliance,
      'UPDATE credit_entries SET created_at = created_at - INTERVAL 101 DAY WHERE workspace_id = ? AND sequence = 1',
      [workspace.id],
    )
    const before = await check(workspace)
    const usedBefore = await usage(workspace)
    await succeed(workspace.api.patch('/profile', { ledger_retention_days: 90, call_retention_days: 95 }))
    for (const round of [1, 2]) {
      await sweepNow(appliance)
      const folded = async () => (await succeed(workspace.api.get('/credit/entries?limit=100'))).data
      const rows = await eventually(folded, ({ length }) => length === before.entries - 3, {
        withinMs: 30_000,
        what: `entries that are carried forward, round ${round}`,
      })
      const carried = rows.filter(({ reason }: { reason: string }) => reason === 'carried_forward')
      expect(carried).to.have.length(1)
      expect(carried[0]).to.include({ sequence: 4, reference: workspace.id })
      const after = await check(workspace)
      expect(after.problems).to.deep.equal([])
      expect(after.balance).to.equal(before.balance)
      const sum = rows.reduce(
        (all: number, { amount }: { amount: number }) => all + Math.round(amount * 1e6),
        0,
      )
      expect(sum).to.equal(Math.round(before.balance * 1e6))
      expect(await usage(workspace)).to.deep.equal(usedBefore)
    }
    await succeed(appliance.operator.post(`/workspaces/${workspace.id}/credit`, { amount: 1 }))
    await succeed(workspace.api.patch('/profile', { call_retention_days: null }))
    await query(appliance, 'UPDATE calls SET created_at = created_at - INTERVAL 101 DAY WHERE id IN (?)', [
      calls,
    ])
    await query(appliance, 'UPDATE messages SET created_at = created_at - INTERVAL 101 DAY WHERE id IN (?)', [
      texts,
    ])
    await query(
      appliance,
      "UPDATE credit_entries SET created_at = created_at - INTERVAL 100 DAY WHERE workspace_id = ? AND reason <> 'top_up'",
      [workspace.id],
    )
    await sweepNow(appliance)
    await eventually(
      async () => check(workspace),
      ({ entries }) => entries === 2,
    )
    const last = await check(workspace)
    expect(last.problems, 'of calls and messages whose entries were carried forward').to.deep.equal([])
    expect(last.balance).to.be.closeTo(Number(before.balance) + 1, 1e-9)
  })

  it('deletes old webhook deliveries that are done, and the old audit log', async () => {
    const workspace = await appliance.workspace()
    const [done, pending] = [await newDelivery(workspace.api), await newDelivery(workspace.api)]
    await query(appliance, 'DELETE FROM webhook_queue WHERE delivery_id = ?', [done.delivery_id])
    await query(appliance, "UPDATE webhook_deliveries SET status = 'failed' WHERE id = ?", [done.delivery_id])
    await query(appliance, "UPDATE webhook_deliveries SET status = 'pending' WHERE id = ?", [
      pending.delivery_id,
    ])
    const both = [done.delivery_id, pending.delivery_id]
    await age(appliance, 'webhook_deliveries', both, 9)
    await query(
      appliance,
      'UPDATE audit_log SET created_at = created_at - INTERVAL 91 DAY WHERE workspace_id = ?',
      [workspace.id],
    )
    const set = { webhook_delivery_retention_days: 8, audit_log_retention_days: 90 }
    await succeed(workspace.api.patch('/profile', set))
    await sweepNow(appliance)
    const left = async () => count(appliance, 'webhook_deliveries', 'id IN (?)', [both])
    await eventually(left, (rows) => rows === 1, { what: 'the sweep of a delivery' })
    expect(await count(appliance, 'webhook_deliveries', 'id = ?', [pending.delivery_id])).to.equal(1)
    const log = async () => (await succeed(workspace.api.get('/audit-log'))).data as { action: string }[]
    const entries = await eventually(log, ({ length }) => length === 1, {
      what: 'the sweep of the audit log',
    })
    expect(entries[0]?.action).to.equal('workspace.update')
  })

  function ago(back: number): string {
    return new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  }
})
