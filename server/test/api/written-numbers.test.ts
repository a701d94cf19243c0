/** Numbers as people write them: without a plus sign they are of the workspace's country, or none. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import type { ApiClient } from '../support/api-client.js'
import { fieldsOf, newActiveNumber, newGateway, newPerson, startUnlimited, succeed } from './fixtures.js'
import { newTextingNumber } from './message-fixtures.js'

/** What is written, and what is read in a workspace of the United States and in one of Germany; null for what is refused. */
const written: [text: string, inUs: string | null, inGermany: string | null][] = [
  ['+12025550100', '+12025550100', '+12025550100'],
  ['+4930123456', '+4930123456', '+4930123456'],
  ['2025550100', '+12025550100', '+492025550100'],
  ['12025550100', '+12025550100', '+4912025550100'],
  ['01149301234567', '+49301234567', '+491149301234567'],
  ['004930123456', '+4930123456', '+4930123456'],
  ['4930123456', '+14930123456', '+4930123456'],
  ['442071838750', null, '+49442071838750'],
  ['030123456', null, '+4930123456'],
  ['20255501001234567890', null, null],
]

describe('numbers without a plus sign', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let us: TestWorkspace
  let germany: TestWorkspace
  before(async () => {
    appliance = await startUnlimited()
    us = await appliance.workspace()
    germany = await appliance.workspace()
    await succeed(appliance.operator.patch(`/workspaces/${germany.id}`, { country_code: 'DE' }))
    for (const one of [us, germany]) await newActiveNumber(appliance, one)
  })
  after(async () => appliance?.stop())

  /** Holds what is read in both workspaces. @param read undefined for what is refused */
  const holds = async (
    read: (workspace: TestWorkspace, text: string) => Promise<string | undefined>,
  ): Promise<void> => {
    for (const [text, inUs, inGermany] of written) {
      expect((await read(us, text)) ?? null, `${text} in the United States`).to.equal(inUs)
      expect((await read(germany, text)) ?? null, `${text} in Germany`).to.equal(inGermany)
    }
  }
  const answered = async (answer: ReturnType<ApiClient['post']>, fields: string[]): Promise<any> => {
    const { status, body } = await answer
    if (status < 300) return body
    expect(fieldsOf({ status, body } as never)).to.deep.equal(fields)
    return undefined
  }

  it('are called in the workspace’s country by the API', async () => {
    await holds(async ({ api }, text) => {
      const made = await answered(api.post('/calls/make', { to: { number: text }, actions: [] }), [
        'to.number',
      ])
      return made?.data.to.number
    })
  })

  it('are called in it by the action to_operator', async () => {
    await holds(async ({ api }, text) => {
      const actions = [{ action: 'to_operator', params: { phone_number: text } }]
      const made = await answered(api.post('/calls/make', { to: { number: '+12025550101' }, actions }), [
        'actions.0.params.phone_number',
      ])
      return made && written.find(([one]) => one === text)?.[api === us.api ? 1 : 2]
    })
  })

  it('are called in it by agents', async () => {
    const agents = new Map(
      await Promise.all([us, germany].map(async (one) => [one.id, await newPerson(one)] as const)),
    )
    await holds(async ({ id, api }, text) => {
      const call = agents.get(id)!.api.post('/call-center/calls/make', { to: text, type: 'audio' })
      const made = await answered(call, ['to'])
      if (!made) return undefined
      const { to } = await succeed(api.get(`/calls/${made.call_id}`))
      return to
    })
  })

  it('are kept in it for contacts, and found so', async () => {
    await holds(async ({ api }, text) => {
      const made = await answered(api.post('/contacts', { name: 'Zoe', numbers: [text] }), ['numbers.0'])
      if (!made) {
        expect(fieldsOf(await api.get(`/contacts?number=${encodeURIComponent(text)}`))).to.deep.equal([
          'number',
        ])
        return undefined
      }
      const { data } = await succeed(api.get(`/contacts?number=${encodeURIComponent(text)}`))
      expect(data.map(({ id }: { id: string }) => id)).to.include(made.id)
      return made.numbers[0]
    })
  })

  it('are the recipients of texts in flows of it', async () => {
    const numbers = new Map<string, string>()
    for (const one of [us, germany]) numbers.set(one.id, (await newTextingNumber(appliance, one)).number)
    await holds(async ({ id, api }, text) => {
      const number = numbers.get(id)
      const nodes = [
        { id: 'start', type: 'start', next: { default: 'text' } },
        { id: 'text', type: 'send_message', params: { from: number, to: text, body: 'Hi' } },
      ]
      const { problems } = await succeed(api.post('/call-flows/check', { nodes }))
      const fields = problems.map(({ field }: { field: string }) => field)
      if (fields.length === 0)
        return written.find(([one]) => one === text)?.[api === us.api ? 1 : 2] ?? 'none'
      expect(fields).to.deep.equal(['nodes.1.params.to'])
      return undefined
    })
  })

  it('are the senders of texts in flows of it, and compared in it', async () => {
    const { number } = await newTextingNumber(appliance, us)
    const nodes = [
      { id: 'start', type: 'start', next: { default: 'asked' } },
      {
        ...{ id: 'asked', type: 'condition', next: { true: 'text' } },
        params: { conditions: [{ subject: 'caller_number', operator: 'equals', value: '(202) 555-0177' }] },
      },
      { id: 'text', type: 'send_message', params: { from: number.slice(2), body: 'Hi' } },
    ]
    const call = { trigger_type: 'inbound', nodes, caller_number: '2025550177' }
    const { path } = await succeed(us.api.post('/call-flows/simulate', call))
    expect(path.map(({ outcome }: { outcome: string }) => outcome)).to.deep.equal(['default', 'true', 'sent'])
  })

  it('are the caller ids of gateways in it; other texts stay as they are', async () => {
    const paths = new Map<string, string>()
    for (const { id, api } of [us, germany]) paths.set(id, `/sip-trunks/gateways/${await newGateway(api)}`)
    await holds(async ({ id, api }, text) => {
      const kept = await succeed(api.patch(paths.get(id)!, { outbound_caller_id: text }))
      const read = written.find(([one]) => one === text)?.[api === us.api ? 1 : 2] ?? null
      if (read === null) expect(kept.outbound_caller_id).to.equal(text)
      return read === null ? undefined : `+${kept.outbound_caller_id.replace('+', '')}`
    })
    for (const [text, kept] of [
      ['0221 / 123 45 67', '+492211234567'],
      ['Reception 0221', 'Reception 0221'],
    ]) {
      const { outbound_caller_id } = await succeed(
        germany.api.patch(paths.get(germany.id)!, { outbound_caller_id: text }),
      )
      expect(outbound_caller_id).to.equal(kept)
    }
  })

  it('are opted out in it', async () => {
    const numbers = new Map<string, string>()
    for (const one of [us, germany]) numbers.set(one.id, (await newTextingNumber(appliance, one)).id)
    await holds(async ({ id, api }, text) => {
      const pair = { phone_number_id: numbers.get(id), client_number: text }
      return (await answered(api.post('/opt-outs', pair), ['client_number']))?.client_number
    })
  })

  it('are tried in it by simulated calls, and priced in it', async () => {
    await holds(async ({ id, api }, text) => {
      const nodes = [
        { id: 'start', type: 'start', params: {}, next: { default: 'bye' } },
        { id: 'bye', type: 'hangup', params: {}, next: {} },
      ]
      const body = { trigger_type: 'inbound', nodes, caller_number: text }
      const tried = await answered(api.post('/call-flows/simulate', body), ['caller_number'])
      const rate = appliance.operator.get(`/workspaces/${id}/rates/${encodeURIComponent(text)}`)
      expect((await rate).status).to.equal(tried ? 200 : 400)
      return tried?.caller_number
    })
  })

  it('but for the workspace’s own numbers, whose digits are shown and taken back', async () => {
    for (const one of [us, germany]) {
      const { id, number } = await newActiveNumber(appliance, one)
      expect(number).to.match(/^1\d{10}$/)
      const from = { from: { number }, to: { number: '+12025550101' }, actions: [] }
      expect((await succeed(one.api.post('/calls/make', from))).data.from.number).to.equal(`+${number}`)
      const to = { from: { number }, to: { number }, actions: [] }
      expect((await succeed(one.api.post('/calls/make', to))).data.to.number).to.equal(`+${number}`)
      expect(id).to.be.a('string')
    }
    const national = (await newActiveNumber(appliance, us)).number.slice(1)
    const call = { from: { number: national }, to: { number: '+12025550101' }, actions: [] }
    expect((await succeed(us.api.post('/calls/make', call))).data.from.number).to.equal(`+1${national}`)
  })
})
