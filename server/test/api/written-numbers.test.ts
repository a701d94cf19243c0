/** Numbers as people write them: without a plus sign they are of the workspace's country, or none. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import type { ApiClient } from '../support/api-client.js'
import { fieldsOf, newActiveNumber, newPerson, startUnlimited, succeed } from './fixtures.js'
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
