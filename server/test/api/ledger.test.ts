/** The ledger adds up to the millionth, whatever happens at once; and what does not is named. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { sharedMariadb } from '../support/mariadb.js'
import { StatementRelay } from '../support/statement-relay.js'
import { query } from './database.js'
import { startUnlimited, succeed } from './fixtures.js'
import { newTextingNumber } from './message-fixtures.js'

/** Statements of those that travel together, and how many of them arrive before the server dies. */
const points = [
  { statement: 'SET held = held + ', arriving: 'nothing' },
  { statement: 'SET held = held + ', arriving: 'all' },
  { statement: 'FOR UPDATE', arriving: 'all' },
  { statement: 'INSERT INTO credit_entries', arriving: 'nothing' },
  { statement: 'INSERT INTO credit_entries', arriving: 'a part' },
  { statement: 'INSERT INTO credit_entries', arriving: 'all' },
] as const

/** A thing that changes the credit of a workspace. */
type Deed =
  { kind: 'top_up'; micros: number } | { kind: 'call'; to: string } | { kind: 'text'; length: number }

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('top_up' as const), micros: fc.integer({ min: 1, max: 5_000_000 }) }),
  fc.record({
    kind: fc.constant('call' as const),
    // Answers, is busy, is not there, leaves by itself.
    to: fc.constantFrom('+12025550100', '+12025550101', '+12025550103', '+12025550106'),
  }),
  fc.record({ kind: fc.constant('text' as const), length: fc.integer({ min: 1, max: 500 }) }),
)

const rates = `kind,prefix,price,connection_fee,minimum_seconds,increment_seconds
outbound_call,12025550100,0.013337,0.000001,1,7
outbound_call,12025550106,1.1,0.1,60,6
message,1202,0.007771,,,
`

describe('the ledger', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let from: string

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_RATE_LIMITS_SMS: '1000000' })
    workspace = await appliance.workspace({ credit: 50 })
    from = (await newTextingNumber(appliance, workspace)).number
    const deck = await succeed(appliance.operator.post('/rate-decks', { title: 'Odd prices' }))
    const raw = multipart({}, { name: 'rates.csv', content: Buffer.from(rates), type: 'text/csv' })
    await succeed(appliance.operator.request('PUT', `/rate-decks/${deck.id}/rates`, { raw }))
    await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { rate_deck_id: deck.id }))
  })
  after(async () => appliance?.stop())

  const check = async () => succeed(appliance.operator.get(`/workspaces/${workspace.id}/credit/check`))

  async function does(one: Deed): Promise<void> {
    if (one.kind === 'top_up') {
      await succeed(
        appliance.operator.post(`/workspaces/${workspace.id}/credit`, { amount: one.micros / 1e6 }),
      )
    } else if (one.kind === 'call') {
      await workspace.api.post('/calls/make', { to: { number: one.to }, actions: [{ action: 'hangup' }] })
    } else {
      await workspace.api.post('/messages/send', { from, to: '+12025550111', body: 'x'.repeat(one.length) })
    }
  }

  it('is the sum of hundreds of calls, texts and top-ups that race', async () => {
    const deeds = fc.sample(deed, { numRuns: 300, seed: 1790 })
    const lanes = Array.from({ length: 30 }, (_, lane) => deeds.filter((_one, index) => index % 30 === lane))
    await Promise.all(
      lanes.map(async (lane) => {
        for (const one of lane) await does(one)
      }),
    )
    const live = async () => (await succeed(workspace.api.get('/calls?status=live'))).meta.total as number
    await eventually(live, (calls) => calls === 0, { withinMs: 60_000, what: 'the end of all calls' })

    const answer = await check()
    expect(answer.problems).to.deep.equal([])
    expect(answer).to.include({ is_consistent: true, held: 0 })
    const micros = (usd: string) => BigInt(usd.replace('.', ''))
    const sum = async (sql: string) => micros((await query(appliance, sql, [workspace.id]))[0].usd as string)
    const added = await sum(
      "SELECT SUM(amount) AS usd FROM credit_entries WHERE workspace_id = ? AND reason = 'top_up'",
    )
    const calls = await sum('SELECT SUM(cost) AS usd FROM calls WHERE workspace_id = ?')
    const legs = await sum('SELECT SUM(cost) AS usd FROM call_legs WHERE workspace_id = ?')
    const texts = await sum('SELECT SUM(price) AS usd FROM messages WHERE workspace_id = ?')
    const balance = await sum('SELECT balance AS usd FROM credit_balances WHERE workspace_id = ?')
    expect(legs).to.equal(calls)
    expect(added - calls - texts).to.equal(balance)
    expect(Number(calls), 'calls were charged').to.be.above(0)
    expect(Number(texts), 'texts were charged').to.be.above(0)
    const [kinds] = await query(
      appliance,
      'SELECT COUNT(DISTINCT reason) AS reasons, COUNT(*) AS entries FROM credit_entries WHERE workspace_id = ?',
      [workspace.id],
    )
    expect(Number(kinds.reasons)).to.equal(3)
    expect(Number(kinds.entries)).to.be.above(150)
  })

  it('is told what does not add up', async () => {
    const [call] = await query(
      appliance,
      'SELECT id FROM calls WHERE workspace_id = ? AND cost > 0 ORDER BY id LIMIT 1',
      [workspace.id],
    )
    const [entry] = await query(
      appliance,
      "SELECT id FROM credit_entries WHERE workspace_id = ? AND reason = 'message' ORDER BY sequence LIMIT 1",
      [workspace.id],
    )
    const [text] = await query(
      appliance,
      'SELECT id FROM messages WHERE workspace_id = ? ORDER BY id LIMIT 1',
      [workspace.id],
    )
    const spoil = async (table: string, column: string, key: string, id: string, kinds: string[]) => {
      const change = async (sign: string) =>
        query(appliance, `UPDATE ${table} SET ${column} = ${column} ${sign} 0.000001 WHERE ${key} = ?`, [id])
      await change('+')
      const { is_consistent, problems } = await check()
      await change('-')
      expect(is_consistent).to.equal(false)
      const found = problems.map(({ kind }: { kind: string }) => kind) as string[]
      expect([...new Set(found)], `${table}.${column}`).to.have.members(kinds)
      return problems as { id: string }[]
    }
    await spoil('credit_balances', 'balance', 'workspace_id', workspace.id, ['balance'])
    await spoil('credit_balances', 'held', 'workspace_id', workspace.id, ['hold'])
    const calls = await spoil('calls', 'cost', 'id', call.id as string, ['call'])
    expect(calls[0]?.id).to.equal(call.id)
    await spoil('call_legs', 'cost', 'call_id', call.id as string, ['call'])
    await spoil('calls', 'credit_held', 'id', call.id as string, ['hold'])
    await spoil('messages', 'price', 'id', text.id as string, ['message'])
    await spoil('credit_entries', 'balance', 'id', entry.id as string, ['entry'])
    await spoil('credit_entries', 'amount', 'id', entry.id as string, ['balance', 'entry', 'message'])
    expect((await check()).is_consistent).to.equal(true)
  })

  it('is exported as it was charged, by workspace, day, kind and prefix', async () => {
    const own = await workspace.api.get('/usage/export')
    expect(own.status).to.equal(200)
    const [heading, ...lines] = String(own.body).trimEnd().split('\r\n')
    expect(heading).to.equal('workspace_id,day,kind,rate_deck_id,prefix,count,seconds,segments,cost')
    const rows = lines.map((line) => line.split(','))
    expect(rows.every(([id]) => id === workspace.id)).to.equal(true)
    expect(rows.map(([, , kind, , prefix]) => `${kind} ${prefix}`)).to.have.members([
      ...['outbound_call 12025550100', 'outbound_call 12025550106'],
    ])
    const { total } = await succeed(workspace.api.get('/usage'))
    const sum = rows.reduce((all, row) => all + Math.round(Number(row[8]) * 1e6), 0)
    expect(sum).to.equal(Math.round((Number(total.cost) + Number(total.message_cost)) * 1e6))
    const charged = rows.find(([, , , , prefix]) => prefix === '12025550106')
    expect(Number(charged?.[6]), 'sixty seconds each').to.equal(60 * Number(charged?.[5]))

    const other = await appliance.workspace()
    const all = await appliance.operator.get('/operator/usage/export?format=jsonl')
    const told = String(all.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { workspace_id: string })
    expect(told).to.have.length(rows.length)
    expect(told[0]).to.include({ workspace_id: workspace.id, prefix: rows[0]?.[4] })
    const none = await appliance.operator.get(`/workspaces/${other.id}/usage/export`)
    expect(String(none.body)).to.equal(`${heading}\r\n`)
    expect((await appliance.operator.get('/workspaces/nobody/usage/export')).status).to.equal(404)
  })
})

describe('the ledger of a server that is killed while calls begin and end together', function () {
  this.timeout(300_000)
  let relay: StatementRelay
  let appliance: Appliance
  let workspace: TestWorkspace

  before(async () => {
    const mariadb = await sharedMariadb()
    relay = await StatementRelay.to(mariadb.port)
    appliance = await startUnlimited({
      JACKFIELD_DATABASE_SOCKET: '',
      JACKFIELD_DATABASE_PORT: String(relay.port),
    })
    workspace = await appliance.workspace({ credit: 50 })
    await newTextingNumber(appliance, workspace)
  })
  after(async () => {
    await appliance?.stop()
    await relay?.close()
  })

  const count = async (sql: string) => Number((await query(appliance, sql, [workspace.id]))[0].rows)

  it('charges each call that was accepted once, wherever that happens', async () => {
    const accepted: string[] = []
    const call = async () => {
      const to = { number: '+12025550100' }
      const asked = workspace.api.post('/calls/make', { to, actions: [{ action: 'hangup' }] })
      const made = await asked.catch(() => null)
      if (!made) return
      expect(made.status, JSON.stringify(made.body)).to.be.oneOf([201, 500, 503])
      if (made.status === 201) accepted.push((made.body as { data: { call_id: string } }).data.call_id)
    }
    for (const { statement, arriving } of points) {
      const dead = relay.stopAt(statement, arriving).then(async () => {
        // What arrived is done, whether the server is there or not.
        if (arriving === 'all') await sleep(100)
        await appliance.killServer()
      })
      await Promise.all(Array.from({ length: 12 }, async () => call()))
      await dead
      await appliance.startServer()
      const at = `${arriving} of "${statement}"`
      const live = async () =>
        count('SELECT COUNT(*) AS `rows` FROM calls WHERE workspace_id = ? AND live = 1')
      await eventually(live, (calls) => calls === 0, {
        withinMs: 60_000,
        what: `the end of all calls, ${at}`,
      })
      const { problems, held } = await succeed(
        appliance.operator.get(`/workspaces/${workspace.id}/credit/check`),
      )
      expect({ problems, held }, at).to.deep.equal({ problems: [], held: 0 })
    }
    const entries = "SELECT COUNT(*) AS `rows` FROM credit_entries WHERE workspace_id = ? AND reason = 'call'"
    const charged = 'SELECT COUNT(*) AS `rows` FROM calls WHERE workspace_id = ? AND cost > 0'
    expect(await count(entries)).to.equal(await count(charged))
    expect(await count('SELECT live_calls AS `rows` FROM live_call_counts WHERE workspace_id = ?')).to.equal(
      0,
    )
    const kept = await query(appliance, 'SELECT id FROM calls WHERE workspace_id = ?', [workspace.id])
    expect(
      kept.map(({ id }) => id),
      'accepted calls are kept',
    ).to.include.members(accepted)
    expect(accepted.length).to.be.above(points.length)
  })
})
