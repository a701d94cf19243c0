/** What calls' endpoints accept and refuse; how calls go is tested in test/calls. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import {
  fieldsOf,
  newActiveNumber,
  newAudio,
  newCall,
  newNumber,
  startUnlimited,
  succeed,
} from './fixtures.js'

describe('calls through the API', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  let number: string
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    api = workspace.api
    number = (await newActiveNumber(appliance, workspace)).number
  })
  after(async () => appliance?.stop())

  const to = { number: '+12025550100' }
  const hangup = [{ action: 'hangup' }]
  const make = async (input: object, key?: string) =>
    api.post('/calls/make', input, key === undefined ? {} : { 'idempotency-key': key })

  it('go to numbers in E.164', async () => {
    for (const good of ['+12025550100', '12025550100', '+4930123456', '+376712345']) {
      const answer = await make({ to: { number: good }, actions: hangup })
      expect(answer.status, good).to.equal(201)
      expect(answer.body.data.to).to.deep.equal({
        number: `+${good.replace('+', '')}`,
        name: `+${good.replace('+', '')}`,
      })
    }
    for (const bad of [
      '',
      '+1',
      '+1202555010',
      '+999123456789',
      'alice',
      '101',
      '+1202555010x',
      'sip:a@b',
      '+0123456789',
    ]) {
      expect(fieldsOf(await make({ to: { number: bad } })), bad).to.deep.equal(['to.number'])
    }
    expect(fieldsOf(await make({}))).to.deep.equal(['to'])
    expect(fieldsOf(await make({ to: {} }))).to.deep.equal(['to.number'])
    expect(fieldsOf(await make({ to: { ...to, name: 'x'.repeat(65) } }))).to.deep.equal(['to.name'])
    expect((await make({ to: { ...to, name: 'é'.repeat(64) }, actions: hangup })).status).to.equal(201)
  })

  it('come from an active number of the workspace that may call', async () => {
    const chosen = await make({ to, actions: hangup })
    expect(chosen.body.data.from).to.deep.equal({ number: `+${number}`, name: `+${number}` })
    const named = await make({ to, from: { number: `+${number}`, name: 'Acme' }, actions: hangup })
    expect(named.body.data.from).to.deep.equal({ number: `+${number}`, name: 'Acme' })
    const pending = await succeed(api.get(`/phone-numbers/${await newNumber(api)}`))
    const other = await newActiveNumber(appliance, await appliance.workspace())
    const mute = await newActiveNumber(appliance, workspace)
    await succeed(api.patch(`/phone-numbers/${mute.id}`, { enable_outbound: false }))
    for (const wrong of [pending.number, other.number, mute.number, '12025550999', 'alice']) {
      expect(fieldsOf(await make({ to, from: { number: wrong } })), wrong).to.deep.equal(['from.number'])
    }
    const empty = await appliance.workspace()
    expect(fieldsOf(await empty.api.post('/calls/make', { to }))).to.deep.equal(['from.number'])
  })

  it('last 1 to 7200 seconds', async () => {
    for (const max_duration of [1, 7200, null])
      expect((await make({ to, max_duration, actions: hangup })).status).to.equal(201)
    for (const max_duration of [0, 7201, 1.5, -1, '60']) {
      expect(fieldsOf(await make({ to, max_duration })), String(max_duration)).to.deep.equal(['max_duration'])
    }
  })

  it('have actions or a call flow, not both', async () => {
    const both = await make({ to, call_flow_id: 'cf_1', actions: hangup })
    expect(fieldsOf(both)).to.deep.equal(['call_flow_id'])
    expect(both.body.message).to.include('exclude')
    expect(fieldsOf(await make({ to, call_flow_id: 'cf_1' }))).to.deep.equal(['call_flow_id'])
  })

  it('refuse unknown actions in clear words', async () => {
    for (const action of ['dance', '', '__proto__', 'constructor', 'PLAY']) {
      const answer = await make({ to, actions: [...hangup, { action }] })
      expect(fieldsOf(answer), action).to.deep.equal(['actions.1.action'])
      expect(answer.body.message).to.include('must be one of play, tts, ')
    }
  })

  it('check the parameters of every action, and name all that is wrong', async () => {
    const answer = await make({
      to,
      actions: [
        { action: 'play', params: { audio_id: 'au_unknown' } },
        { action: 'tts', params: { text: '', speed: 9 } },
        { action: 'tts', params: { text: 'Hi', voice: 'nobody' } },
        { action: 'to_operator', params: { phone_number: 'x'.repeat(5), timeout: 301 } },
        { action: 'hangup', params: { cause: 'BOREDOM' } },
        { action: 'play' },
        { action: 'hangup', params: { causes: 'x' } },
      ],
    })
    expect(fieldsOf(answer)).to.have.members([
      ...[
        'actions.0.params.audio_id',
        'actions.1.params.text',
        'actions.1.params.speed',
        'actions.2.params.voice',
      ],
      ...['actions.3.params.timeout', 'actions.4.params.cause', 'actions.5.params.audio_id'],
      'actions.6.params.causes',
    ])
    const foreign = await newAudio((await appliance.workspace()).api)
    expect(
      fieldsOf(await make({ to, actions: [{ action: 'play', params: { audio_id: foreign } }] })),
    ).to.deep.equal(['actions.0.params.audio_id'])
    expect(fieldsOf(await make({ to, actions: Array(101).fill(hangup[0]) }))).to.deep.equal(['actions'])
  })

  it('take nothing in an action’s parameters amiss', async () => {
    const texts = ['\ud800', '\u0000', '\r\n', "'; --", '{}', '${x}', '😀é', '__proto__', 'x'.repeat(5_000)]
    const deep = JSON.parse('['.repeat(2_000) + ']'.repeat(2_000))
    const values = [...texts, null, 1, -1, 1e308, true, [], {}, deep, [deep, deep]]
    const parameters = {
      play: ['audio_id', 'answer_call', 'continue_on_play'],
      tts: ['text', 'voice', 'speed'],
      to_operator: ['phone_number', 'from', 'timeout', 'ringback_audio_id'],
      hangup: ['cause'],
    }
    for (const [action, names] of Object.entries(parameters)) {
      for (const name of names) {
        for (const value of values) {
          const params = { ...(action === 'to_operator' && { phone_number: '+12025550100' }), [name]: value }
          const { status } = await make({ to, actions: [{ action, params }] })
          expect(status, `${action}.${name} = ${JSON.stringify(value).slice(0, 50)}`).to.be.oneOf([201, 400])
        }
      }
    }
    const raw = {
      type: 'application/json',
      content: `{"to":{"number":"+12025550100"},"actions":[{"action":"hangup","params":{"__proto__":{"cause":"x"}}}]}`,
    }
    expect((await api.request('POST', '/calls/make', { raw })).status).to.equal(400)
  })

  it('are not made without credit', async () => {
    const poor = await appliance.workspace({ credit: 0 })
    await newActiveNumber(appliance, poor)
    const answer = await poor.api.post('/calls/make', { to })
    expect(answer.status).to.equal(403)
    expect(answer.body).to.include({ statusCode: 403, error: 'Forbidden' })
    expect((await poor.api.get('/calls')).body.meta.total).to.equal(0)
  })

  it('change their actions only while they are answered', async () => {
    const id = await newCall(api)
    const early = await api.put(`/calls/${id}/actions`, { actions: hangup })
    expect(early.status).to.equal(400)
    expect(early.body.message).to.match(/started or active/)
    expect(fieldsOf(await api.put(`/calls/${id}/actions`, { actions: [] }))).to.deep.equal(['actions'])
    expect(fieldsOf(await api.put(`/calls/${id}/actions`, {}))).to.deep.equal(['actions'])
    await succeed(api.post(`/calls/${id}/hangup`))
    const ended = await eventually(
      async () => succeed(api.get(`/calls/${id}`)),
      ({ ended_at }) => ended_at !== null,
    )
    expect(ended).to.include({ status: 'canceled', duration: 0, cost: 0 })
    expect((await api.put(`/calls/${id}/actions`, { actions: hangup })).status).to.equal(400)
    expect((await api.post(`/calls/${id}/hangup`)).status).to.equal(400)
  })

  it('are found by number in their history', async () => {
    const fresh = await appliance.workspace()
    await newActiveNumber(appliance, fresh)
    for (const called of ['+12025550101', '+4930123456']) {
      await succeed(fresh.api.post('/calls/make', { to: { number: called } }))
    }
    const found = async (search: string) =>
      (await succeed(fresh.api.get(`/calls?search=${encodeURIComponent(search)}`))).data.map(
        (call: { to: string }) => call.to,
      )
    expect(await found('')).to.deep.equal(['+4930123456', '+12025550101'])
    expect(await found('4930')).to.deep.equal(['+4930123456'])
    expect(await found('+1202555')).to.have.length(2)
    expect(await found('%')).to.deep.equal([])
  })

  describe('with an Idempotency-Key', () => {
    const calls = async () => (await succeed(api.get('/calls'))).meta.total as number

    it('are made once for a key, and answered alike', async () => {
      const count = await calls()
      const first = await make({ to, actions: hangup }, 'once')
      const again = await make({ to, actions: hangup }, 'once')
      expect(again.status).to.equal(201)
      expect(again.body).to.deep.equal(first.body)
      expect(await calls()).to.equal(count + 1)
    })

    it('are made once when requests with one key race', async () => {
      const count = await calls()
      const answers = await Promise.all(
        Array.from({ length: 10 }, async () => make({ to, actions: hangup }, 'race')),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(201))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1)
      expect(await calls()).to.equal(count + 1)
      const id = answers[0]!.body.data.call_id as string
      const rows = await query(appliance, 'SELECT id FROM call_events WHERE call_id = ? AND event = ?', [
        id,
        'call.created',
      ])
      expect(rows).to.have.length(1)
    })

    it('answer 409 when the key comes with another request', async () => {
      await succeed(make({ to, actions: hangup }, 'other'))
      expect((await make({ to, max_duration: 60, actions: hangup }, 'other')).status).to.equal(409)
    })

    it('may use the key of another workspace, and not one that is too long', async () => {
      const other = await appliance.workspace()
      await newActiveNumber(appliance, other)
      await succeed(other.api.post('/calls/make', { to, actions: hangup }, { 'idempotency-key': 'once' }))
      expect((await make({ to, actions: hangup }, 'k'.repeat(255))).status).to.equal(201)
      expect(fieldsOf(await make({ to, actions: hangup }, 'k'.repeat(256)))).to.deep.equal([
        'Idempotency-Key',
      ])
    })

    it('remember no failure', async () => {
      expect((await make({ to: { number: '1' } }, 'failed')).status).to.equal(400)
      expect((await make({ to, actions: hangup }, 'failed')).status).to.equal(201)
    })

    it('are answered alike when the credit is used up meanwhile', async () => {
      const poor = await appliance.workspace({ credit: 1 })
      await newActiveNumber(appliance, poor)
      const ask = async () =>
        poor.api.post('/calls/make', { to, actions: hangup }, { 'idempotency-key': 'credit' })
      const first = await ask()
      await query(appliance, 'UPDATE credit_balances SET balance = 0 WHERE workspace_id = ?', [poor.id])
      expect((await ask()).body).to.deep.equal(first.body)
    })
  })
})
