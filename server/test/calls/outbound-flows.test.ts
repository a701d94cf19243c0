/** Calls that go out and run a flow once they are answered. */
import { expect } from 'chai'
import { ActionsBench, hz, sleep } from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { TestNode } from '../support/inbound-bench.js'

const operatorHz = 1500

describe('flows of outbound calls on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let customer: CustomerServer

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    customer = await CustomerServer.start()
    bench = await ActionsBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32' } })
  })
  after(async () => {
    await bench?.stop()
    await customer?.stop()
  })

  const plays = async (id: string, tone: number, next: Record<string, string> = {}): Promise<TestNode> => ({
    ...{ id, type: 'play', params: { audio_id: await bench.audio(tone, 0.5) }, next },
  })
  const menu = async (next: Record<string, string>): Promise<TestNode> => ({
    ...{ id: 'menu', type: 'menu', params: { audio_id: await bench.audio(hz.low, 0.5), timeout: 20 }, next },
  })

  it('begin with the answer, and go where the keys of who is called lead', async () => {
    const call = await bench.callOutWithFlow([
      await menu({ 1: 'bye', 2: 'two' }),
      await plays('two', hz.high, { default: 'bye' }),
      { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
    ])
    await call.hears(hz.low)
    call.press('2')
    const { by, record } = await call.over()
    expect(by).to.equal('BYE')
    expect(record).to.include({ direction: 'outbound', status: 'completed', hangup_cause: 'USER_BUSY' })
    expect(record.legs.map(({ role }) => role)).to.deep.equal(['called'])
    expect(call.tones).to.deep.equal([hz.low, hz.high])
    expect(await bench.inbound.path(call.id)).to.deep.equal(['menu:2', 'two:completed', 'bye:completed'])
    const events = (await call.timeline()).map(({ event }) => event)
    expect(events.slice(0, 3)).to.deep.equal(['call.created', 'call.ringing', 'call.answered'])
    expect(events.at(-1)).to.equal('call.ended')
  })

  it('know who is called and with which number, and ask the customer’s server', async () => {
    const actions = [{ action: 'ivr', params: { timeout: 10 } }]
    const url = customer.on('/actions', answering({ actions }))
    const call = await bench.callOutWithFlow([
      {
        ...{ id: 'numbers', type: 'condition', next: { true: 'ask' } },
        params: {
          conditions: [
            { subject: 'called_number', operator: 'equals', value: '+12125550199' },
            { subject: 'caller_number', operator: 'equals', value: bench.customerNumber },
          ],
        },
      },
      { id: 'ask', type: 'json_call_action', params: { url }, next: { completed: 'high' } },
      await plays('high', hz.high),
    ])
    call.press('7')
    await call.over()
    expect(call.tones).to.deep.equal([hz.high])
    expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '7', status: 'completed' }])
    expect(await bench.inbound.path(call.id)).to.deep.equal([
      ...['numbers:true', 'ask:completed', 'high:completed'],
    ])
    const [asked] = customer.at('/actions')
    expect(asked!.body).to.include({
      ...{ event: 'call_flow.jca', call_id: call.id },
      ...{ caller_number: bench.customerNumber, destination_number: '+12125550199' },
    })
  })

  it('join who is called with an operator, and go on when the operator leaves', async () => {
    const { phone, from } = await bench.operator()
    const call = await bench.callOutWithFlow([
      {
        ...{ id: 'out', type: 'to_operator', params: { phone_number: '+12025550106', from } },
        next: { completed: 'high' },
      },
      await plays('high', hz.high),
    ])
    await call.hears(operatorHz)
    await phone.incoming[0]!.hangUp()
    await call.over()
    expect(call.tones.at(-1)).to.equal(hz.high)
    expect(await bench.inbound.path(call.id)).to.deep.equal(['out:completed', 'high:completed'])
  })

  it('take other actions in their place, and end with who is called', async () => {
    const call = await bench.callOutWithFlow([await menu({ 1: 'menu' })])
    await call.hears(hz.low)
    const actions = [await bench.tone(hz.high, 8)]
    expect((await bench.api.put(`/calls/${call.id}/actions`, { actions })).status).to.equal(200)
    await call.hears(hz.high)
    await call.dialog.hangUp()
    expect((await call.over()).record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  })

  it('go on where they were when the server is killed', async () => {
    const call = await bench.callOutWithFlow([await menu({ 1: 'high' }), await plays('high', hz.high)])
    await call.hears(hz.low)
    await bench.calls.appliance.killServer()
    await bench.calls.appliance.startServer()
    await eventually(
      async () => {
        call.press('1')
        await sleep(500)
        return call.dialog.state
      },
      (state) => state === 'ended',
      { what: 'end of the call' },
    )
    await call.over()
    expect(await bench.inbound.path(call.id)).to.deep.equal(['menu:1', 'high:completed'])
  })

  it('may be one for inbound calls', async () => {
    const play = { id: 'play', type: 'play', params: { audio_id: await bench.audio(hz.low, 1) } }
    const call_flow_id = await bench.inbound.flow([play], 'inbound')
    const call = await bench.callOut([], { call_flow_id, actions: undefined })
    await call.hears(hz.low)
    await call.over()
    expect(await bench.inbound.path(call.id)).to.deep.equal(['play:completed'])
  })
})
