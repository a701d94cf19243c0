/** Calls that come in over a trunk and run a flow. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { TestClient } from '../sandbox/event-socket-client.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { findFreeswitch } from '../support/freeswitch.js'

const say = (id: string, text: string, next: Record<string, string> = {}) => ({
  ...{ id, type: 'tts', params: { text }, next },
})

describe('inbound calls on the freeswitch', function () {
  this.timeout(60_000)
  let bench: InboundBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await InboundBench.start()
  })
  after(async () => bench?.stop())

  it('reach the flow of their number, and end when it does', async () => {
    await bench.runs([say('welcome', 'Welcome.', { default: 'bye' }), { id: 'bye', type: 'hangup' }])
    const phone = await bench.caller()
    const dialog = await bench.answeredCall(phone)
    expect(dialog.statuses).to.include(180)
    expect(await dialog.over()).to.equal('BYE')
    const record = await bench.lastCall()
    expect(record).to.include({ direction: 'inbound', status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(record).to.include({ from: '+12125550123', to: '+12025550199' })
    expect(record.cost).to.be.greaterThan(0)
    const timeline = await bench.timeline(record.call_id)
    expect(timeline.map(({ event }) => event)).to.deep.equal([
      ...['call.created', 'call.ringing', 'call.answered', 'call.node', 'call.node', 'call.ended'],
    ])
  })

  it('branch by the key that the caller presses, in audio or by INFO, also while the menu is said', async () => {
    await bench.runs([
      {
        ...{ id: 'choose', type: 'menu' },
        params: { text: 'Press one for sales, two for support, or three for all the rest.' },
        next: { '1': 'sales', '2': 'support', timeout: 'bye' },
      },
      say('sales', 'Sales.'),
      say('support', 'Support.'),
      { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
    ])
    for (const [by, key, node] of [
      ['rtp', '1', 'sales'],
      ['info', '2', 'support'],
    ] as const) {
      const phone = await bench.caller()
      const dialog = await bench.answeredCall(phone)
      await sleep(300)
      phone.press(dialog, key, by)
      await dialog.over()
      const record = await bench.lastCall()
      expect(await bench.path(record.call_id)).to.deep.equal([`choose:${key}`, `${node}:completed`])
    }
  })

  it('are joined with a phone outside, and hear it', async () => {
    await bench.runs([{ id: 'out', type: 'to_operator', params: { phone_number: '+12025550100' } }])
    const phone = await bench.caller({ toneHz: 700 })
    const dialog = await bench.answeredCall(phone)
    await eventually(
      async () => hears(dialog, 1000),
      (level) => level > 0.1,
      { what: 'the tone of the other side' },
    )
    await dialog.hangUp()
    const record = await bench.lastCall()
    expect(record.legs.map(({ role }) => role)).to.deep.equal(['caller', 'destination'])
  })

  it('are refused while the number has no flow', async () => {
    await bench.takesTo(null)
    const phone = await bench.caller()
    expect(await phone.call(bench.number).answered()).to.equal(480)
    const record = await bench.lastCall()
    expect(record).to.include({ status: 'failed', sip_code: 480, cost: 0 })
  })

  it('go on where they were when the server is killed', async () => {
    await bench.runs([
      {
        ...{ id: 'choose', type: 'menu', params: { text: 'Press one.', timeout: 20 } },
        next: { '1': 'sales' },
      },
      say('sales', 'Sales.'),
    ])
    const phone = await bench.caller()
    const dialog = await bench.answeredCall(phone)
    await sleep(500)
    await bench.bench.appliance.killServer()
    await bench.bench.appliance.startServer()
    await sleep(1_000)
    phone.press(dialog, '1')
    await dialog.over()
    const record = await bench.lastCall()
    expect(record.status).to.equal('completed')
    expect(await bench.path(record.call_id)).to.deep.equal(['choose:1', 'sales:completed'])
  })

  it('end for the cause of their flow, told once, when the server is killed while it hangs them up', async () => {
    await bench.runs([
      {
        ...{ id: 'choose', type: 'menu', params: { text: 'Press one.', timeout: 30, retries: 0 } },
        next: { '1': 'bye' },
      },
      { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
    ])
    const numbers = Array.from({ length: 8 }, (_, index) => `+1212555020${index}`)
    const dialogs: PhoneDialog[] = []
    for (const username of numbers) dialogs.push(await bench.answeredCall(await bench.caller({ username })))
    await sleep(500)
    const press = (dialog: PhoneDialog) => dialog.phone.press(dialog, '1', 'info')
    // Some are through, some are not begun, and some are in the middle of it.
    for (const dialog of dialogs) {
      press(dialog)
      await sleep(4)
    }
    await bench.bench.appliance.killServer()
    await bench.bench.appliance.startServer()
    await eventually(
      async () => {
        dialogs.filter(({ state }) => state === 'up').forEach(press)
        await sleep(300)
        return dialogs.every(({ state }) => state === 'ended')
      },
      (over) => over,
      { withinMs: 20_000, what: 'end of all calls' },
    )
    for (const number of numbers) {
      const { body } = await bench.api.get(`/calls?search=${encodeURIComponent(number)}`)
      const record = await bench.bench.ended(body.data[0].call_id as string)
      expect(record).to.include({ status: 'completed', hangup_cause: 'USER_BUSY' })
      const path = await bench.path(record.call_id)
      expect(path.filter((step) => step !== 'choose:1')).to.deep.equal(['bye:completed'])
    }
  })

  it('are hung up as their flow wanted when the server was killed just before', async () => {
    await bench.runs([
      { id: 'wait', type: 'menu', params: { text: 'Press one.', timeout: 30 }, next: { '1': 'wait' } },
    ])
    const dialog = await bench.answeredCall(await bench.caller())
    const id = await bench.lastCallId()
    await bench.bench.reaches(id, 'started')
    const { appliance } = bench.bench
    await appliance.killServer()
    await query(appliance, "UPDATE calls SET program = 'over', hangup_cause = 'USER_BUSY' WHERE id = ?", [id])
    await appliance.startServer()
    await dialog.over()
    expect((await bench.bench.ended(id)).hangup_cause).to.equal('USER_BUSY')
    expect(await bench.path(id)).to.deep.equal([])
  })

  it('are taken when the server was killed between taking them and writing them down', async () => {
    await bench.runs([say('welcome', 'Welcome.')])
    const { appliance } = bench.bench
    await appliance.killServer()
    const phone = await bench.caller()
    const dialog = phone.call(bench.number)
    const { port, password } = appliance.eventSocket
    const socket = await TestClient.open(port, password, '')
    const { rows } = await eventually(
      async () => JSON.parse(await socket.send('api show channels as json')) as { rows?: { uuid: string }[] },
      (list) => list.rows?.length === 1,
      { what: 'the call in the switch' },
    )
    await socket.send(`api uuid_setvar ${rows?.[0]?.uuid} jackfield_call call_that_was_never_written`)
    socket.socket.destroy()
    await appliance.startServer()
    expect(await dialog.answered()).to.equal(200)
    await dialog.over()
    expect((await bench.lastCall()).status).to.equal('completed')
  })
})
