/** Workspaces, as the operator sees them. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { query } from './database.js'
import {
  agentInput,
  fieldsOf,
  newActiveNumber,
  newAudio,
  newCall,
  startUnlimited,
  succeed,
} from './fixtures.js'

describe('workspaces', () => {
  let appliance: Appliance
  before(async () => {
    appliance = await startUnlimited()
  })
  after(async () => appliance?.stop())

  const create = async (input: object) => appliance.operator.post('/workspaces', input)
  const acme = { id: 'acme', title: 'Acme', country_code: 'US' }

  it('are made, shown, found and deleted', async () => {
    const made = await create(acme)
    expect(made.status).to.equal(201)
    expect(made.body).to.include({ ...acme, credit_balance: 0 })
    expect(made.body.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await appliance.operator.get('/workspaces/acme')).body).to.deep.equal(made.body)
    const found = await appliance.operator.get('/workspaces?search=CM')
    expect(found.body.data.map(({ id }: { id: string }) => id)).to.deep.equal(['acme'])
    const deleted = await appliance.operator.delete('/workspaces/acme')
    expect(deleted.body).to.deep.equal(made.body)
    expect((await appliance.operator.get('/workspaces/acme')).status).to.equal(404)
  })

  it('have ids that are host names', async () => {
    for (const id of ['a', '0', 'a-b', 'x'.repeat(32)]) {
      expect((await create({ ...acme, id })).status, id).to.equal(201)
    }
    for (const id of ['', '-a', 'a-', 'A', 'a.b', 'a_b', 'é', 'x'.repeat(33)]) {
      expect(fieldsOf(await create({ ...acme, id })), id).to.deep.equal(['id'])
    }
    for (const id of ['admin', 'api', 'www', 'sip'])
      expect((await create({ ...acme, id })).status).to.equal(409)
  })

  it('have no SIP domain that agents of another workspace register at', async () => {
    const refused = await create({ ...acme, id: 'agents--acme' })
    expect([refused.status, refused.body.message]).to.deep.equal([
      409,
      'The workspace id agents--acme is reserved',
    ])
    // One that was there before such ids were refused.
    await query(
      appliance,
      "INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('agents--old', 'Old', 'US', NOW(3), NOW(3))",
    )
    expect((await create({ ...acme, id: 'old' })).status).to.equal(409)
    await query(appliance, "DELETE FROM workspaces WHERE id = 'agents--old'")
    expect((await create({ ...acme, id: 'old' })).status).to.equal(201)
  })

  it('answer 409 to an id that is taken, also when requests race', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, async () => create({ ...acme, id: 'race' })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([201, 409, 409, 409, 409, 409, 409, 409])
  })

  it('hold titles of 1 to 64 characters, whatever their letters, and known countries', async () => {
    const title = '😀'.repeat(64)
    expect((await create({ ...acme, id: 'long', title })).body.title).to.equal(title)
    expect((await appliance.operator.get('/workspaces/long')).body.title).to.equal(title)
    expect(fieldsOf(await create({ ...acme, title: '' }))).to.deep.equal(['title'])
    expect(fieldsOf(await create({ ...acme, title: `${title}x` }))).to.deep.equal(['title'])
    for (const country_code of ['us', 'USA', 'XX', 'ZZ', '']) {
      expect(fieldsOf(await create({ ...acme, country_code })), country_code).to.deep.equal(['country_code'])
    }
  })

  it('names every problem at once', async () => {
    const answer = await create({ id: 'A', extra: 1 })
    expect(fieldsOf(answer)).to.have.members(['title', 'country_code', 'extra', 'id'])
    expect(answer.body.message).to.equal(answer.body.errors[0].messages[0])
    expect(answer.body.error).to.equal('Bad Request')
  })

  it('admit nobody but the operator while they are suspended, and begin no calls', async () => {
    const workspace = await appliance.workspace()
    const { id, api } = workspace
    await newActiveNumber(appliance, workspace)
    const { username, password } = agentInput()
    await succeed(api.post('/agents', { username, password, display_name: 'Jane Doe' }))
    const visitor = api.with({ authorization: undefined })
    const login = async () => visitor.post('/auth/login', { username, password, device_id: 'desk' })
    const { tokens } = await succeed(login())
    const agent = api.with({ authorization: `Bearer ${tokens.access_token}` })
    const stream = await EventReader.open(agent)
    const suspend = async (is_suspended: boolean) =>
      succeed(appliance.operator.patch(`/workspaces/${id}`, { is_suspended }))

    expect((await suspend(true)).is_suspended).to.equal(true)
    for (const refused of [await api.get('/calls'), await login(), await agent.get('/me')]) {
      expect(refused.status).to.equal(403)
      expect(refused.body.message).to.match(/^The workspace is suspended/)
    }
    const wrong = api.with({ authorization: 'ApiKey sid-000000000000000000000000.wrong' })
    expect((await wrong.get('/calls')).status, 'a key that never held').to.equal(401)
    await eventually(
      async () => Promise.resolve(stream.isClosed),
      (isClosed) => isClosed,
      { what: 'the end of the stream' },
    )
    const operator = appliance.operator.with({ host: `${id}.localhost` })
    expect((await operator.get('/calls')).status).to.equal(200)
    const call = await operator.post('/calls/make', { to: { number: '+12025550102' } })
    expect(call.status, 'whoever makes it').to.equal(403)
    expect(call.body.message).to.equal('The workspace is suspended')

    await suspend(false)
    expect((await agent.get('/me')).status).to.equal(200)
    await newCall(api)
  })

  it('show the operator their ledger and their numbers', async () => {
    const workspace = await appliance.workspace({ credit: 5 })
    const { id } = await newActiveNumber(appliance, workspace)
    const { operator } = appliance
    const ledger = await succeed(operator.get(`/workspaces/${workspace.id}/credit/entries`))
    expect(ledger.data.map(({ amount }: { amount: number }) => amount)).to.deep.equal([5])
    const numbers = await succeed(operator.get(`/workspaces/${workspace.id}/phone-numbers`))
    expect(numbers.data.map((number: { id: string }) => number.id)).to.deep.equal([id])
    expect((await operator.get('/workspaces/nobodys/phone-numbers')).status).to.equal(404)
  })

  it('take all that belongs to them along when they are deleted', async () => {
    const workspace = await appliance.workspace()
    const { id, api } = workspace
    await newActiveNumber(appliance, workspace)
    await newAudio(api)
    const wait = { action: 'ivr', params: { timeout: 60, webhook_url: 'https://customer.test/' } }
    const talk = { to: { number: '+12025550100' }, actions: [wait] }
    const call = (await api.post('/calls/make', talk, { 'idempotency-key': 'k' })).body.data.call_id as string
    const ringing = (await api.post('/calls/make', { to: { number: '+12025550102' } })).body.data
      .call_id as string
    const became = async (callId: string, status: string) =>
      eventually(
        async () => succeed(api.get(`/calls/${callId}`)),
        (one) => one.status === status,
      )
    await became(call, 'started')
    await became(ringing, 'ringing')
    const busy = await appliance.operator.delete(`/workspaces/${id}`)
    expect(busy.status).to.equal(409)
    expect(busy.body.message).to.include('2 live calls: hang them up first')
    expect((await succeed(api.get(`/calls/${ringing}`))).status, 'is left alone').to.equal('ringing')
    await succeed(api.post(`/calls/${call}/hangup`))
    await eventually(
      async () => succeed(api.get(`/calls/${call}`)),
      ({ ended_at }) => ended_at !== null,
    )
    expect((await succeed(api.get(`/calls/${ringing}`))).status).to.equal('ringing')
    await succeed(appliance.operator.delete(`/workspaces/${id}`))
    expect((await api.get('/phone-numbers')).status).to.equal(400)
    for (const table of [
      'api_keys',
      'credit_entries',
      'inbound_acls',
      'outbound_gateways',
      'phone_numbers',
      'audios',
      'calls',
      'call_legs',
      'call_events',
      'idempotency_keys',
    ]) {
      const [row] = await query(
        appliance,
        `SELECT COUNT(*) AS rows_left FROM ${table} WHERE workspace_id = ?`,
        [id],
      )
      expect(Number(row.rows_left), table).to.equal(0)
    }
    const again = await appliance.workspace({ id })
    expect((await again.api.get('/credit')).body.balance).to.equal(100)
    expect((await api.get('/phone-numbers')).status, 'the old key in a workspace of the same name').to.equal(
      401,
    )
  })

  it('keep their calls and numbers to themselves', async () => {
    const [a, b] = [await appliance.workspace(), await appliance.workspace()]
    await newActiveNumber(appliance, a)
    await newCall(a.api)
    for (const path of ['/phone-numbers', '/calls', '/sip-trunks/acls', '/sip-trunks/gateways', '/audios']) {
      expect((await b.api.get(path)).body.meta.total, path).to.equal(0)
    }
    expect((await b.api.get('/api-keys')).body.data[0].sid).to.equal(b.sid)
  })
})
