/** The action `machine_detection` on the real switch: what people and machines hear, and what is told of them. */
import { expect } from 'chai'
import { joinedSamples } from '../../src/lib/sound/joined-samples.js'
import { ActionsBench, type TestAction, hz, sleep } from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { wavFile, samplesOf } from '../support/audio-files.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { spoken } from '../support/spoken.js'

const greeting = 'You have reached the mailbox of Ada. Please leave a message after the tone.'

describe('machine detection on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let server: CustomerServer
  let forPeople: TestAction
  let forMachines: TestAction

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await CustomerServer.start('127.0.0.2')
    bench = await ActionsBench.start({
      settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.2/32' },
    })
    forPeople = await bench.tone(hz.low, 2)
    forMachines = await bench.tone(hz.high, 2)
    server.on('/told', answering({}))
    const webhook = { url: server.url('/told'), events: ['call.machine_detection'] }
    expect((await bench.api.post('/webhooks', webhook)).status).to.equal(201)
  })
  after(async () => {
    await bench?.stop()
    await server?.stop()
  })

  /** Calls the customer, who says this after the answer. */
  async function called(params: object, ...said: Int16Array[]) {
    bench.customer.ear.hush()
    const call = await bench.callOut([{ action: 'machine_detection', params }, forPeople])
    call.dialog.phone.ear.say(joinedSamples(said))
    return call
  }

  it('goes on for a person, who hears what comes next', async () => {
    const call = await called({ machine_actions: [forMachines] }, spoken('Hello? Who is there?'))
    await call.hears(hz.low)
    const { record } = await call.over()
    expect(record.hangup_cause).to.equal('NORMAL_CLEARING')
    expect(await call.events('call.machine_detection')).to.deep.equal([
      { answered_by: 'human', message_end: null },
    ])
    const [told] = await eventually(
      async () => server.at('/told').filter(({ body }) => body.data.call_id === call.id),
      (all) => all.length > 0,
      { what: 'webhook' },
    )
    expect(told?.body).to.deep.include({ event: 'call.machine_detection' })
    expect(told?.body.data).to.include({ answered_by: 'human', message_end: null, direction: 'outbound' })
  })

  it('leaves a message after the beep of a machine', async () => {
    const beep = samplesOf(wavFile(1_000, 0.4, { rate: 8_000 }))
    const params = { mode: 'message_end', machine_actions: [forMachines] }
    const call = await called(params, spoken(greeting), new Int16Array(4_000), beep, new Int16Array(1_600))
    await call.hears(hz.high)
    await call.over()
    expect(call.tones).to.not.include(hz.low)
    expect(await call.events('call.machine_detection')).to.deep.equal([
      { answered_by: 'machine', message_end: 'beep' },
    ])
    expect(await call.outcomes()).to.deep.equal(['machine_detection:replaced', 'play:completed'])
  })

  it('hangs up on a machine, where nothing is to be done for it', async () => {
    const call = await called({ machine_actions: [] }, spoken(greeting))
    const { record } = await call.over()
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(call.tones).to.deep.equal([])
    expect(await call.events('call.machine_detection')).to.deep.equal([
      { answered_by: 'machine', message_end: null },
    ])
  })

  it('goes on as for a person, where it is unknown after the timeout', async () => {
    const call = await called({ timeout: 3, machine_actions: [] })
    await call.hears(hz.low)
    await call.over()
    expect(await call.events('call.machine_detection')).to.deep.equal([
      { answered_by: 'unknown', message_end: null },
    ])
  })

  it('branches in a flow by who has answered', async () => {
    const call = await bench.callOutWithFlow([
      {
        ...{ id: 'detect', type: 'machine_detection', params: { timeout: 10 } },
        next: { human: 'person', machine: 'mailbox' },
      },
      { id: 'person', type: 'play', params: { ...forPeople.params } },
      { id: 'mailbox', type: 'play', params: { ...forMachines.params } },
    ])
    call.dialog.phone.ear.say(spoken(greeting))
    await call.hears(hz.high)
    await call.over()
    expect(call.tones).to.not.include(hz.low)
    expect(await call.events('call.machine_detection')).to.deep.equal([
      { answered_by: 'machine', message_end: null },
    ])
    expect(await call.outcomes()).to.include.members(['machine_detection:machine', 'play:completed'])
  })

  it('begins again when the server was killed in the middle of it', async () => {
    const { appliance } = bench.calls
    const beep = samplesOf(wavFile(1_000, 0.4, { rate: 8_000 }))
    const params = { mode: 'message_end', machine_actions: [forMachines] }
    const call = await called(params, spoken(greeting), spoken(greeting), spoken(greeting))
    await eventually(
      async () => (await bench.calls.record(call.id)).status,
      (status) => status === 'started',
      { what: 'call whose actions run' },
    )
    await sleep(1_000)
    await appliance.killServer()
    await appliance.startServer()
    await eventually(async () => Promise.resolve(call.dialog.phone.ear.hasSaid), Boolean, {
      withinMs: 20_000,
      what: 'end of the greeting',
    })
    call.dialog.phone.ear.say(joinedSamples([beep, new Int16Array(1_600)]))
    await call.hears(hz.high)
    await call.over()
    expect(await call.events('call.machine_detection')).to.deep.equal([
      { answered_by: 'machine', message_end: 'beep' },
    ])
  })

  it('is refused with parameters that are wrong, also of its actions', async () => {
    for (const [params, field] of [
      [{ mode: 'beep' }, 'mode'],
      [{ timeout: 2 }, 'timeout'],
      [{ machine_actions: [{ action: 'tts', params: {} }] }, 'machine_actions.0.params.text'],
      [{ machine_actions: [{ action: 'machine_detection' }] }, 'machine_actions.0.action'],
      [
        { machine_actions: [{ action: 'play', params: { audio_id: 'au_none' } }] },
        'machine_actions.0.params.audio_id',
      ],
    ] as const) {
      const { status, body } = await bench.api.post('/calls/make', {
        to: { number: '+12125550199' },
        actions: [{ action: 'machine_detection', params }],
      })
      expect(status, field).to.equal(400)
      expect(JSON.stringify(body), field).to.include(`actions.0.params.${field}`)
    }
  })
})
