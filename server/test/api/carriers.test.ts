import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { newId } from '../../src/infrastructure/database/ids.js'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import {
  carriersPath,
  httpCarrier,
  newCarrier,
  newNumberWith,
  smppCarrier,
  smppDefaults,
} from './carrier-fixtures.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, newActiveNumber, startUnlimited, succeed } from './fixtures.js'

const secretKey = randomBytes(32)

const since = '2026-03-04T05:06:07.000Z'

const noLink = { state: 'down', since: null, last_error: null, server_id: null }

describe('carriers', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let operator: ApiClient
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_SECRET_KEY: secretKey.toString('base64') })
    operator = appliance.operator
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  /** Not active, so that no server takes up its link. */
  const resting = async (changes: object = {}) => newCarrier(appliance, { is_active: false, ...changes })

  async function secretsOf(id: string): Promise<unknown> {
    const [row] = await query(appliance, 'SELECT secrets FROM carriers WHERE id = ?', [id])
    return JSON.parse(new SecretBox(new Keyring(secretKey)).open(row.secrets, `carrier:${id}`))
  }

  /** A message of a number which waits for a carrier. */
  async function newWaiting(number: { id: string }, carrierId: string, state = 'queued'): Promise<string> {
    const id = newId('msg')
    const message = {
      ...{ id, workspace_id: workspace.id, conversation_id: newId('conv'), phone_number_id: number.id },
      ...{ system_number: '12025550100', client_number: '12025550101', direction: 'outbound' },
      ...{ status: 'queued', sender_type: 'api', body: 'Hello', encoding: 'gsm7', segments: 1 },
    }
    await query(
      appliance,
      `INSERT INTO messages (${Object.keys(message).join(', ')}, created_at, updated_at)
       VALUES (${Object.keys(message)
         .map(() => '?')
         .join(', ')}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
      Object.values(message),
    )
    await query(
      appliance,
      `INSERT INTO message_queue (message_id, workspace_id, carrier_id, state, due_at, give_up_at)
       VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
      [id, workspace.id, carrierId, state],
    )
    return id
  }

  /** A server that is none of ours holds the link. */
  async function newLease(carrierId: string, seconds: number): Promise<void> {
    await query(
      appliance,
      `REPLACE INTO carrier_leases (carrier_id, server_id, leased_until, health)
       VALUES (?, 'srv_1', UTC_TIMESTAMP(3) + INTERVAL ? SECOND, ?)`,
      [carrierId, seconds, JSON.stringify({ state: 'up', since, last_error: 'bind refused: 0x0000000D' })],
    )
  }

  /** Undefined: it waits no more. */
  async function carrierOf(messageId: string): Promise<string | null | undefined> {
    const [row] = await query(appliance, 'SELECT carrier_id FROM message_queue WHERE message_id = ?', [
      messageId,
    ])
    return row?.carrier_id
  }

  it('speak SMPP with what their operator sets, and defaults', async () => {
    const made = await succeed(operator.post('/carriers', { ...smppCarrier, is_active: false }))
    const { password: _, ...settings } = smppCarrier.settings
    expect(made.id).to.match(/^car_/)
    expect(made).to.deep.equal({
      ...{ id: made.id, title: 'Blue SMSC', kind: 'smpp', settings: { ...smppDefaults, ...settings } },
      ...{ secrets: ['password'], is_active: false, window_size: 10, throughput: 100 },
      ...{
        status: { ...noLink, state: 'inactive' },
        created_at: made.created_at,
        updated_at: made.created_at,
      },
    })
    expect(await succeed(operator.get(`/carriers/${made.id}`))).to.deep.equal(made)
    expect((await succeed(operator.get(`/carriers?search=${made.id}`))).data).to.deep.equal([made])
    expect(await secretsOf(made.id)).to.deep.equal({ password: 'bindword' })
    expect(await succeed(operator.delete(`/carriers/${made.id}`))).to.deep.equal(made)
    expect((await operator.get(`/carriers/${made.id}`)).status).to.equal(404)
  })

  it('speak HTTP with what their operator sets, and defaults', async () => {
    const made = await succeed(operator.post('/carriers', { ...httpCarrier, is_active: false }))
    const { headers, inbound_secret, ...settings } = httpCarrier.settings
    expect(made.settings).to.deep.include({
      ...{ ...settings, method: 'POST', content_type: 'application/json', number_format: 'plus' },
      ...{ message_id: null, success_statuses: [], success_value: null, media: false, timeout_seconds: 15 },
    })
    expect(made.settings.inbound).to.deep.equal({
      ...{ items: null, from: '/from', to: '/to', body: '/body', id: '/id', media: ['/media_urls'] },
      ...{ charset: null, part_reference: null, part: null, parts: null },
    })
    expect(made.settings.receipts.statuses).to.include({ delivered: 'delivered', rejected: 'failed' })
    expect(made.secrets).to.deep.equal(['headers.Authorization', 'inbound_secret'])
    expect(await secretsOf(made.id)).to.deep.equal({ headers, inbound_secret })
  })

  it('keep their secrets encrypted, and show them nowhere', async () => {
    const password = 'a-not-to-be-seen-in-clear'
    const id = await resting({ settings: { ...smppCarrier.settings, password } })
    const secrets = {
      headers: { 'X-Key': 'b-not-to-be-seen-in-clear' },
      inbound_secret: 'c-not-to-be-seen-in-clear',
    }
    await resting({ ...httpCarrier, is_active: false, settings: { ...httpCarrier.settings, ...secrets } })
    await succeed(operator.patch(`/carriers/${id}`, { settings: { password: `${password}-2` } }))
    expect(await secretsOf(id)).to.deep.equal({ password: `${password}-2` })
    const answered = JSON.stringify(await succeed(operator.get('/carriers?limit=100')))
    const marker = 'not-to-be-seen-in-clear'
    expect(answered).not.to.include(marker)
    expect(await tablesHolding(appliance, marker)).to.deep.equal([])
    expect(appliance.log).not.to.include(marker)
  })

  it('are set anew when the key is lost that their secrets were sealed with', async () => {
    const id = await resting()
    const lost = new SecretBox(new Keyring(randomBytes(32))).seal('{"password":"bindword"}', `carrier:${id}`)
    await query(appliance, 'UPDATE carriers SET secrets = ? WHERE id = ?', [lost, id])
    expect((await succeed(operator.get(`/carriers/${id}`))).secrets).to.deep.equal([])
    const change = async (settings: object) => operator.patch(`/carriers/${id}`, { settings })
    expect(fieldsOf(await change({ port: 2776 }))).to.deep.equal(['settings.password'])
    expect((await succeed(change({ password: 'anew' }))).secrets).to.deep.equal(['password'])
  })

  it('change in what is sent, setting by setting', async () => {
    const id = await resting()
    const before = await succeed(operator.get(`/carriers/${id}`))
    const change = { title: 'Bluer', throughput: 5, settings: { host: 'smsc.example.com', tls: true } }
    const after = await succeed(operator.patch(`/carriers/${id}`, change))
    expect(after).to.deep.equal({
      ...before,
      ...{ ...change, settings: { ...before.settings, ...change.settings }, updated_at: after.updated_at },
    })
    expect(Date.parse(after.updated_at)).to.be.at.least(Date.parse(before.updated_at))
    expect(await secretsOf(id)).to.deep.equal({ password: 'bindword' })
    expect(fieldsOf(await operator.patch(`/carriers/${id}`, { kind: 'http' }))).to.deep.equal(['kind'])
    const [entry] = await query(
      appliance,
      `SELECT changes, workspace_id FROM audit_log WHERE target_id = ? AND action = 'carrier.update'`,
      [id],
    )
    expect(entry.workspace_id).to.equal(null)
    expect(entry.changes).to.deep.equal({
      title: { from: 'Blue SMSC', to: 'Bluer' },
      throughput: { from: 100, to: 5 },
      'settings.host': { from: '127.0.0.1', to: 'smsc.example.com' },
      'settings.tls': { from: false, to: true },
    })
  })

  it('name each setting that will not do', async () => {
    const smpp = async (settings: object) =>
      fieldsOf(
        await operator.post('/carriers', {
          ...smppCarrier,
          settings: { ...smppCarrier.settings, ...settings },
        }),
      )
    const http = async (settings: object) =>
      fieldsOf(
        await operator.post('/carriers', {
          ...httpCarrier,
          settings: { ...httpCarrier.settings, ...settings },
        }),
      )
    expect(fieldsOf(await operator.post('/carriers', { ...smppCarrier, settings: {} }))).to.have.members([
      ...['settings.host', 'settings.system_id', 'settings.password'],
    ])
    expect(await smpp({ host: 'no host' })).to.deep.equal(['settings.host'])
    const long = 'sixty-four-letters!'.padEnd(64, 'x')
    expect(await smpp({ port: 0, system_id: long, bind: 'both', typo: 1 })).to.have.members([
      ...['settings.port', 'settings.system_id', 'settings.bind', 'settings.typo'],
    ])
    expect(await smpp({ url: 'http://example.com/' })).to.deep.equal(['settings.url'])
    for (const of of [smpp, http]) {
      expect(await of({ country: 'XX' })).to.deep.equal(['settings.country'])
      expect(await of({ country: 'us' })).to.deep.equal(['settings.country'])
      expect(await of({ number_format: 'prefix' })).to.deep.equal(['settings.number_prefix'])
      expect(await of({ number_format: 'letters' })).to.deep.equal(['settings.number_format'])
      expect(await of({ inbound_number_format: 'local' })).to.deep.equal(['settings.inbound_number_format'])
    }
    // Another number would be read of these digits.
    const national = { number_format: 'national', source_ton: 0, destination_ton: 1 }
    expect(await smpp(national)).to.deep.equal(['settings.destination_ton'])
    expect(await smpp({ receipt_statuses: { GONE: 'lost' } })).to.deep.equal([
      'settings.receipt_statuses.GONE',
    ])
    expect(await smpp({ service_type: 'SIXSIX', priority: 256, interface_version: '6' })).to.have.members([
      ...['settings.service_type', 'settings.priority', 'settings.interface_version'],
    ])
    expect(await http({ url: 'ftp://example.com/' })).to.deep.equal(['settings.url'])
    expect(await http({ url: 'http://10.0.0.1/messages' })).to.deep.equal(['settings.url'])
    expect(await http({ body: 'no JSON' })).to.deep.equal(['settings.body'])
    expect(await http({ body: '{"a": "{{nothing}}"}' })).to.deep.equal(['settings.body'])
    expect(await http({ headers: { Host: 'x' } })).to.deep.equal(['settings.headers.Host'])
    expect(await http({ inbound_secret: 'short' })).to.deep.equal(['settings.inbound_secret'])
    expect(await http({ inbound: { from: 'from' }, receipts: { id: 'id' } })).to.have.members([
      ...['settings.inbound.from', 'settings.receipts.id'],
    ])
    expect(await http({ receipts: { statuses: { sent: 'gone' } } })).to.deep.equal([
      'settings.receipts.statuses.sent',
    ])
    const wrong = { ...smppCarrier, window_size: 1001, throughput: 0, title: '' }
    expect(fieldsOf(await operator.post('/carriers', wrong))).to.have.members([
      'window_size',
      'throughput',
      'title',
    ])
  })

  it('say how their link is doing, as the server says that holds it', async () => {
    const id = await resting()
    await newLease(id, 60)
    expect((await succeed(operator.get(`/carriers/${id}`))).status).to.include({ state: 'inactive' })
    await query(appliance, 'UPDATE carriers SET is_active = 1 WHERE id = ?', [id])
    const shown = { since, last_error: 'bind refused: 0x0000000D', server_id: 'srv_1' }
    expect((await succeed(operator.get(`/carriers/${id}`))).status).to.deep.equal({
      state: 'up',
      ...shown,
    })
    await newLease(id, -1)
    const { server_id } = (await succeed(operator.get(`/carriers/${id}`))).status
    expect(server_id).not.to.equal('srv_1')
  })

  it('say what waits for them', async () => {
    const id = await resting()
    const number = await newNumberWith(appliance, workspace, [id])
    const nothing = { queued: 0, submitting: 0, awaiting_receipt: 0, oldest_due_at: null }
    expect(await succeed(operator.get(`/carriers/${id}/status`))).to.deep.equal({
      ...{ ...noLink, state: 'inactive', ...nothing },
    })
    await newLease(id, 60)
    const waiting = [await newWaiting(number, id), await newWaiting(number, id)]
    await newWaiting(number, id, 'submitting')
    await query(
      appliance,
      `INSERT INTO message_segments (message_id, segment, workspace_id, carrier_id, client_number, state, accepted_at)
       VALUES (?, 0, ?, ?, '12025550101', 'accepted', UTC_TIMESTAMP(3))`,
      [newId('msg'), workspace.id, id],
    )
    const status = await succeed(operator.get(`/carriers/${id}/status`))
    expect(status).to.include({ queued: waiting.length, submitting: 1, awaiting_receipt: 1 })
    expect(Date.now() - Date.parse(status.oldest_due_at)).to.be.within(55_000, 120_000)
  })

  it('are a number’s in the order in which they are tried, and make it send texts', async () => {
    const [first, second] = [await resting({ title: 'One' }), await resting({ title: 'Two' })]
    const number = await newActiveNumber(appliance, workspace)
    const path = carriersPath(workspace, number.id)
    const assign = async (carrier_ids: unknown) => operator.put(path, { carrier_ids })
    const capabilities = async () =>
      (await succeed(workspace.api.get(`/phone-numbers/${number.id}`))).capabilities
    expect(await succeed(operator.get(path))).to.deep.equal({ phone_number_id: number.id, carriers: [] })
    const one = { id: first, title: 'One', kind: 'smpp', is_active: false }
    const two = { ...one, id: second, title: 'Two' }
    const assigned = await succeed(assign([second, first]))
    expect(assigned).to.deep.equal({ phone_number_id: number.id, carriers: [two, one] })
    expect(await succeed(operator.get(path))).to.deep.equal(assigned)
    expect(await capabilities()).to.deep.equal(['voice', 'sms'])
    expect((await succeed(assign([first, second]))).carriers).to.deep.equal([one, two])
    expect((await succeed(assign([first]))).carriers).to.deep.equal([one])
    expect(await capabilities()).to.deep.equal(['voice', 'sms'])
    expect((await succeed(assign([]))).carriers).to.deep.equal([])
    expect(await capabilities()).to.deep.equal(['voice'])
    expect(fieldsOf(await assign([first, 'car_none']))).to.deep.equal(['carrier_ids.1'])
    expect(fieldsOf(await assign([first, first]))).to.deep.equal(['carrier_ids'])
    expect(fieldsOf(await assign(Array.from({ length: 6 }, (_, index) => `car_${index}`)))).to.deep.equal([
      'carrier_ids',
    ])
    const log = await succeed(workspace.api.get('/audit-log?action=phone_number.update&limit=100'))
    const changes = log.data.map((entry: { changes: object }) => entry.changes)
    expect(changes).to.deep.include({ carrier_ids: { from: [], to: [second, first] } })
    expect(changes).to.deep.include({ capabilities: { from: ['voice', 'sms'], to: ['voice'] } })
  })

  it('are what a number’s capability sms follows, whatever the operator sets', async () => {
    const number = await newActiveNumber(appliance, workspace)
    const set = async (capabilities: string[]) =>
      operator.patch(`/workspaces/${workspace.id}/phone-numbers/${number.id}`, { capabilities })
    expect(fieldsOf(await set(['voice', 'sms']))).to.deep.equal(['capabilities'])
    await succeed(operator.put(carriersPath(workspace, number.id), { carrier_ids: [await resting()] }))
    expect(fieldsOf(await set(['voice']))).to.deep.equal(['capabilities'])
    expect((await succeed(set(['sms']))).capabilities).to.deep.equal(['sms'])
  })

  it('hand what waits for them to the first that a number has instead', async () => {
    const [old, idle, next] = [await resting(), await resting(), await resting()]
    await query(appliance, 'UPDATE carriers SET is_active = 1 WHERE id = ?', [next])
    const number = await newNumberWith(appliance, workspace, [old])
    const other = await newNumberWith(appliance, workspace, [old])
    const [waiting, others] = [await newWaiting(number, old), await newWaiting(other, old)]
    const assign = async (carrier_ids: string[]) =>
      succeed(operator.put(carriersPath(workspace, number.id), { carrier_ids }))
    await assign([idle, next])
    await eventually(
      async () => carrierOf(waiting),
      (carrier) => carrier === next,
      { withinMs: 30_000 },
    )
    expect(await carrierOf(others)).to.equal(old)
    await assign([])
    await eventually(
      async () => carrierOf(waiting),
      (carrier) => carrier === undefined,
      { withinMs: 30_000, what: 'the message to have failed' },
    )
  })

  it('hand what waits for them to the number’s next when they are made inactive', async () => {
    const [first, next] = [await resting(), await resting()]
    await query(appliance, 'UPDATE carriers SET is_active = 1 WHERE id IN (?, ?)', [first, next])
    const number = await newNumberWith(appliance, workspace, [first, next])
    const lone = await newNumberWith(appliance, workspace, [first])
    const [waiting, stuck] = [await newWaiting(number, first), await newWaiting(lone, first)]
    await succeed(operator.patch(`/carriers/${first}`, { is_active: false }))
    await eventually(
      async () => carrierOf(waiting),
      (carrier) => carrier === next,
      { withinMs: 30_000 },
    )
    expect(await carrierOf(stuck)).to.equal(first)
  })

  it('stay while numbers use them, or messages wait for them', async () => {
    const id = await resting()
    const number = await newNumberWith(appliance, workspace, [id])
    const refused = await operator.delete(`/carriers/${id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.equal(`The carrier Blue SMSC is used by number ${number.number}`)
    await newLease(id, 60)
    const waiting = await newWaiting(number, id, 'submitting')
    await succeed(operator.put(carriersPath(workspace, number.id), { carrier_ids: [] }))
    expect((await operator.delete(`/carriers/${id}`)).body.message).to.equal(
      'Messages wait for the carrier Blue SMSC',
    )
    await query(appliance, 'DELETE FROM message_queue WHERE message_id = ?', [waiting])
    expect((await operator.delete(`/carriers/${id}`)).status).to.equal(200)
  })

  it('are never assigned and deleted at once', async () => {
    const number = await newActiveNumber(appliance, workspace)
    for (let round = 0; round < 10; round++) {
      const id = await resting()
      const [assigned, deleted] = await Promise.all([
        operator.put(carriersPath(workspace, number.id), { carrier_ids: [id] }),
        operator.delete(`/carriers/${id}`),
      ])
      expect([assigned.status, deleted.status].sort()).to.be.deep.oneOf([
        [200, 409],
        [200, 400],
      ])
      await succeed(operator.put(carriersPath(workspace, number.id), { carrier_ids: [] }))
    }
  })

  it('are a deleted number’s no more', async () => {
    const id = await resting()
    const number = await newNumberWith(appliance, workspace, [id])
    await succeed(workspace.api.delete(`/phone-numbers/${number.id}`))
    expect((await operator.delete(`/carriers/${id}`)).status).to.equal(200)
  })

  it('are the operator’s alone', async () => {
    const id = await resting()
    for (const path of ['/carriers', `/carriers/${id}`, `/carriers/${id}/status`]) {
      expect((await workspace.api.get(path)).status).to.equal(404)
    }
  })
})
