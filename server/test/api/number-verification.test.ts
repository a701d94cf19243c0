/** Numbers that are shown to others: whose they are is the operator's word, or a code that came to them. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'
import { query } from './database.js'
import {
  callFlow,
  fieldsOf,
  newActiveNumber,
  newAgent,
  newNumber,
  numberInput,
  personOf,
  sipAccountInput,
  startUnlimited,
  succeed,
} from './fixtures.js'
import { enableTexts, newTextingNumber, sendText } from './message-fixtures.js'

describe('numbers that are shown to others', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let platform: TestWorkspace
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
    })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  const path = (id: string) => `/phone-numbers/${id}`
  const send = async (id: string, channel = 'call', { api } = workspace) =>
    api.post(`${path(id)}/verification`, { channel })
  const check = async (id: string, code: string) =>
    workspace.api.post(`${path(id)}/verification/check`, { code })
  /** What was last said, or texted, by the platform's line. */
  const lastCode = async (channel: 'call' | 'text'): Promise<string> => {
    const [row] = await query(
      appliance,
      channel === 'call'
        ? "SELECT script AS said FROM calls WHERE workspace_id = 'platform' ORDER BY id DESC LIMIT 1"
        : "SELECT body AS said FROM messages WHERE workspace_id = 'platform' ORDER BY id DESC LIMIT 1",
    )
    const said = String(typeof row.said === 'string' ? row.said : JSON.stringify(row.said))
    return (
      /(\d), (\d), (\d), (\d), (\d), (\d)/.exec(said)?.slice(1).join('') ?? /^\d{6}/.exec(said)?.[0] ?? ''
    )
  }
  /** As an inbound call leaves it, which shows nothing of whose it is. */
  const receive = async (id: string) =>
    query(appliance, "UPDATE phone_numbers SET status = 'active' WHERE id = ?", [id])

  it('are sent no code while the operator has no line', async () => {
    const id = await newNumber(workspace.api)
    for (const channel of ['call', 'text']) {
      const refused = await send(id, channel)
      expect(refused.status, channel).to.equal(403)
      expect(refused.body.message).to.include('The operator has no line')
    }
    expect(await query(appliance, 'SELECT * FROM number_code_counts')).to.deep.equal([])
  })

  it('receive once a call came in, and are shown as nobody’s caller id or sender', async () => {
    const { api } = workspace
    const input = await numberInput(api)
    const made = await succeed(api.post('/phone-numbers/connect', input))
    await receive(made.id)
    const carriers = await enableTexts(workspace, made.id)
    expect(carriers).to.be.a('string')
    const number = await succeed(api.get(path(made.id)))
    expect(number).to.include({ status: 'active', is_verified: false, verified_by: null, verified_at: null })
    const from = `+${number.number}`
    const call = async (body: object) => api.post('/calls/make', { to: { number: '+12025550100' }, ...body })
    expect(fieldsOf(await call({ from: { number: from } }))).to.deep.equal(['from.number'])
    expect(fieldsOf(await call({}))).to.deep.equal(['from.number'])
    const agent = await personOf(workspace, 'member')
    const calls = '/call-center/calls/make'
    expect(fieldsOf(await agent.api.post(calls, { to: '+12025550100', type: 'audio' }))).to.deep.equal([
      'from',
    ])
    expect(fieldsOf(await agent.api.post(calls, { to: '+12025550100', from, type: 'audio' }))).to.deep.equal([
      'from',
    ])
    expect(fieldsOf(await sendText(api, from))).to.deep.equal(['from'])
    const operator = {
      id: 'out',
      type: 'to_operator',
      params: { phone_number: '+12025550100', from },
      next: {},
    }
    const nodes = [{ ...callFlow.nodes[0], next: { default: 'out' } }, operator]
    expect((await api.post('/call-flows', { ...callFlow, nodes })).status).to.equal(400)
    const account = await succeed(
      api.post('/sip-accounts', { ...sipAccountInput(), outbound_caller_id: from }),
    )
    expect(account.outbound_caller_id).to.equal(number.number)
    expect(await newAgent(api)).to.be.a('string')
    const refused = await call({ from: { number: from } })
    expect(refused.body.message).to.include('is not verified').and.include('/verification')
  })

  it('are verified by the operator, also by activating them, until the operator says otherwise', async () => {
    const { id } = await newActiveNumber(appliance, workspace)
    const number = await succeed(workspace.api.get(path(id)))
    expect(number).to.include({ status: 'active', is_verified: true, verified_by: 'operator' })
    expect(Date.parse(number.verified_at)).to.be.closeTo(Date.now(), 60_000)
    const asOperator = `/workspaces/${workspace.id}${path(id)}`
    const taken = await succeed(appliance.operator.patch(asOperator, { is_verified: false }))
    expect(taken).to.include({ status: 'active', is_verified: false, verified_by: null, verified_at: null })
    expect((await workspace.api.patch(path(id), { is_verified: true })).status).to.equal(400)
    const given = await succeed(appliance.operator.patch(asOperator, { is_verified: true }))
    expect(given).to.include({ is_verified: true, verified_by: 'operator' })
    expect((await send(id)).status).to.equal(409)
  })

  describe('by a code', () => {
    let line: string
    before(async () => {
      platform = await appliance.workspace({ id: 'platform', credit: 1000 })
      line = (await newTextingNumber(appliance, platform)).number
    })

    for (const channel of ['call', 'text'] as const)
      it(`that a ${channel} brings: it comes from the operator's line, and the number is verified with it`, async () => {
        const receiver = new WebhookReceiver()
        await receiver.start()
        const { api } = workspace
        await succeed(api.post('/webhooks', { url: receiver.url(), events: ['phone_number.verified'] }))
        const id = await newNumber(api)
        const { number } = await succeed(api.get(path(id)))
        const sent = await succeed(send(id, channel))
        expect(sent).to.include({ phone_number_id: id, channel, attempts_left: 5 })
        expect(Date.parse(sent.expires_at) - Date.parse(sent.created_at)).to.equal(600_000)
        const [out] =
          channel === 'call'
            ? (await succeed(platform.api.get('/calls?limit=1'))).data
            : (await succeed(platform.api.get('/messages?limit=1'))).data
        expect(out).to.include({ from: line, to: `+${number}`, direction: 'outbound' })
        const code = await lastCode(channel)
        expect(code).to.match(/^\d{6}$/)
        expect(JSON.stringify(sent)).to.not.include(code)
        const verified = await succeed(check(id, code))
        expect(verified).to.include({ id, is_verified: true, verified_by: 'code', status: 'pending' })
        expect((await succeed(check(id, '000000'))).is_verified, 'it stays so').to.equal(true)
        const [hook] = await eventually(
          async () => receiver.received,
          ({ length }) => length > 0,
        )
        expect(hook!.body).to.deep.include({
          event: 'phone_number.verified',
          data: { phone_number_id: id, number, verified_by: 'code' },
        })
        await receiver.stop()
        await receive(id)
        const call = { to: { number: '+12025550101' }, from: { number: `+${number}` }, actions: [] }
        expect((await api.post('/calls/make', call)).status).to.equal(201)
        const log = (await succeed(api.get(`/audit-log?target_id=${id}`))).data
        const actions = log.map(({ action }: { action: string }) => action)
        expect(actions).to.include.members(['phone_number.verification_sent', 'phone_number.update'])
        expect(JSON.stringify(log)).to.not.include(code)
      })

    it('that is guessed a few times only, runs out, and is void once another one was sent', async () => {
      const id = await newNumber(workspace.api)
      expect(fieldsOf(await check(id, '123456')), 'none was sent').to.deep.equal(['code'])
      await succeed(send(id))
      const first = await lastCode('call')
      const wrong = first === '000000' ? '000001' : '000000'
      for (const code of ['12345', '1234567', 'abcdef', ''])
        expect(fieldsOf(await check(id, code))).to.deep.equal(['code'])
      const guesses = await Promise.all(Array.from({ length: 8 }, async () => check(id, wrong)))
      expect(guesses.map(({ status }) => status)).to.deep.equal(Array.from({ length: 8 }, () => 400))
      const right = await check(id, first)
      expect(fieldsOf(right), 'after five wrong ones').to.deep.equal(['code'])
      await succeed(send(id))
      const second = await lastCode('call')
      if (second !== first) expect(fieldsOf(await check(id, first))).to.deep.equal(['code'])
      await query(appliance, 'UPDATE number_verifications SET expires_at = NOW(3) - INTERVAL 1 SECOND')
      expect(fieldsOf(await check(id, second))).to.deep.equal(['code'])
      await succeed(send(id))
      expect((await succeed(check(id, await lastCode('call')))).verified_by).to.equal('code')
    })

    it('that is sent to a number three times a day, by however many workspaces', async () => {
      const national = '2025557711'
      const askers = await Promise.all([0, 1, 2, 3, 4].map(async () => appliance.workspace()))
      const ids = await Promise.all(
        askers.map(async ({ api }) => {
          const input = await numberInput(api, national)
          return (await succeed(api.post('/phone-numbers/connect', input))).id as string
        }),
      )
      const answers = await Promise.all(ids.map(async (id, index) => send(id, 'call', askers[index])))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 201, 201, 429, 429])
      const late = answers.find(({ status }) => status === 429)!
      expect(late.body.retryAfter).to.be.within(1, 86_400)
      const calls = await query(appliance, 'SELECT id FROM calls WHERE to_number = ?', [`+1${national}`])
      expect(calls).to.have.length(3)
    })

    it('that a workspace asks for ten times an hour', async () => {
      const statuses: number[] = []
      for (let count = 0; count < 11; count++)
        statuses.push((await send(await newNumber(workspace.api))).status)
      expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 201), 429])
    })

    it('but for special numbers, which only the operator verifies', async () => {
      for (const national of ['8005550199', '9005550199', '8885550123']) {
        const input = await numberInput(workspace.api, national)
        const { id } = await succeed(workspace.api.post('/phone-numbers/connect', input))
        expect((await send(id)).status, national).to.equal(403)
        const asOperator = `/workspaces/${workspace.id}${path(id)}`
        expect(
          (await succeed(appliance.operator.patch(asOperator, { is_verified: true }))).is_verified,
        ).to.equal(true)
      }
    })

    it('but for numbers of others', async () => {
      const other = await appliance.workspace()
      const id = await newNumber(other.api)
      expect((await send(id)).status).to.equal(404)
      expect((await check(id, '123456')).status).to.equal(404)
    })
  })
})
