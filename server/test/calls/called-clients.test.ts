/** Users of customers' apps who are called, on a real FreeSWITCH: in a browser, and in apps without media. */
import { expect } from 'chai'
import { clientToken, succeed } from '../api/fixtures.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import { AppBench, type BrowserApp, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import type { CallRecord } from '../support/call-bench.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { EventReader } from '../support/event-reader.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { SilentApp, SilentListener, SilentClient } from '../support/silent-app.js'
import { TeamBench, hearing } from '../support/team-bench.js'
import type { Telephone } from '../support/telephone.js'

const callerHz = 440
const zoeHz = 900
const deskHz = 1300
/** The longest that there may be. */
const longSub = `${'x'.repeat(60)}_-.1`

describe('clients who are called on the freeswitch', function () {
  this.timeout(120_000)
  let bench: TeamBench
  let apps: AppBench
  let customer: CustomerServer
  let zoe: BrowserApp
  let desk: Telephone
  let anna: SilentApp

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    customer = await CustomerServer.start()
    bench = await TeamBench.start({
      settings: {
        JACKFIELD_RATE_LIMITS_AUTH: '1000000',
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
      },
    })
    apps = await AppBench.on(bench)
    zoe = await apps.client(tokenOf('zoe'), zoeHz)
    await zoe.listen()
    desk = await bench.phones.phone(await bench.phones.account('desk'), { toneHz: deskHz })
    anna = await SilentApp.of(bench.phones.api, await bench.phones.agent('anna'))
  })
  beforeEach(async () => {
    desk.onCall = 'answer'
    await bench.leadsTo('connect_client', { sub: 'zoe' })
  })
  after(async () => {
    anna?.close()
    await apps?.stop()
    await customer?.stop()
  })

  const calls = () => bench.inbound.bench
  const tokenOf = (sub: string, more: object = {}) => clientToken(calls().workspace, { sub, ...more })
  const as = (sub: string, more: object = {}): ApiClient =>
    calls().api.with({ authorization: `Bearer ${tokenOf(sub, more)}` })
  /** An app without media, which listens. */
  const app = async (sub: string, deviceId?: string) =>
    SilentListener.withToken(calls().api, tokenOf(sub), deviceId)

  async function hearEachOther(caller: PhoneDialog): Promise<void> {
    await Promise.all([hearing(caller, zoe.hz, 'the caller hears the client'), zoe.page.hears([callerHz])])
  }
  const silent = async (caller: PhoneDialog, what: string) =>
    eventually(
      async () => hears(caller, zoe.hz, 4_000),
      (level) => level < 0.1,
      { what },
    )

  /** A call from outside that the client has taken. */
  async function talk(): Promise<{ caller: PhoneDialog; way: Way }> {
    const had = await zoe.incomingCalls()
    const caller = await bench.call(callerHz)
    const way = await zoe.pickUp(had)
    expect(await caller.answered()).to.equal(200)
    await hearEachOther(caller)
    return { caller, way }
  }

  it('hear and are heard, hold, mute, press keys, and hang up, as agents’ apps do', async () => {
    const had = await zoe.incomingCalls()
    const caller = await bench.call(callerHz)
    const ring = await zoe.rung(had)
    expect(ring).to.deep.include({ from: { number: '+12125550123', name: '+12125550123' } })
    expect(ring).to.deep.include({ to: { number: bench.inbound.number, name: 'Main' } })
    expect(caller.state).to.equal('ringing')
    await zoe.enter(ring)
    await zoe.answer()
    await hearEachOther(caller)

    await zoe.say('call.hold')
    await zoe.told('call.held')
    await silent(caller, 'the caller hears the client no more')
    await zoe.say('call.unhold')
    await zoe.told('call.unheld')
    await hearEachOther(caller)
    await zoe.say('call.mute')
    await zoe.told('call.muted')
    await silent(caller, 'the caller hears the client no more')
    await zoe.say('call.mute', { muted: false })
    await zoe.told('call.muted', 1)
    await hearEachOther(caller)
    await zoe.say('call.dtmf', { digits: '90*' })
    await eventually(
      async () =>
        caller.phone.ear
          .heard()
          .map(({ keys }) => keys)
          .join(''),
      (keys) => keys === '90*',
      { what: 'keys 90*' },
    )
    await zoe.say('call.transfer', { target: 'desk' })
    expect(await zoe.told('error')).to.include({ code: 'unavailable' })

    await zoe.say('call.hangup')
    expect(await zoe.told('call.ended')).to.eql({ reason: 'hangup' })
    expect(await zoe.closed()).to.equal(1000)
    expect(await caller.over()).to.equal('BYE')
    const { record, outcome } = await bench.end()
    expect(outcome).to.equal('to:completed')
    expect(record).to.include({ status: 'completed', direction: 'inbound' })
    expect(record.legs.map(({ role, number, uri }) => [role, number, uri.split(':')[0]]).slice(1)).to.eql([
      ['destination', 'client:zoe', 'app'],
    ])
    const node = (await bench.inbound.timeline(record.call_id)).find(({ event }) => event === 'call.node')
    expect(node?.details).to.deep.include({ to: { number: 'client:zoe', name: 'zoe' } })
  })

  it('come back to their talk after a reload, and after their socket was lost', async () => {
    const { caller, way } = await talk()
    await zoe.page.call('app', 'hangUpSocket')
    await zoe.closed()
    await zoe.enter(way, true)
    await zoe.told('call.token')
    await hearEachOther(caller)
    await zoe.page.load()
    await zoe.listen()
    await zoe.enter(way)
    await zoe.answer()
    await hearEachOther(caller)
    await caller.hangUp()
    expect(await zoe.told('call.ended')).to.eql({ reason: 'hangup' })
    await bench.end()
  })

  /** The call once it and all its legs have ended. */
  async function whole(id: string): Promise<CallRecord> {
    await calls().ended(id, 40_000)
    return calls().record(id)
  }

  it('are called by the API, and connected with whom its script says', async () => {
    const had = await zoe.incomingCalls()
    const before = desk.incoming.length
    const made = await succeed(
      calls().api.post('/calls/make', {
        to: { number: 'client:zoe' },
        actions: [{ action: 'to_operator', params: { phone_number: 'desk' } }],
      }),
    )
    expect(made.data).to.deep.include({ to: { number: 'client:zoe', name: 'client:zoe' } })
    const { call_id } = await zoe.pickUp(had)
    expect(call_id).to.equal(made.data.call_id)
    const atDesk = await desk.called(before)
    await Promise.all([hearing(atDesk, zoe.hz, 'the desk hears the client'), zoe.page.hears([deskHz])])
    expect((await calls().record(call_id)).status).to.equal('active')
    await zoe.say('call.hangup')
    expect(await atDesk.over()).to.equal('BYE')
    expect(await whole(call_id)).to.include({
      ...{ status: 'completed', direction: 'outbound', to: 'client:zoe', cost: 0 },
    })
    const { body } = await calls().api.get('/calls?search=client:zoe')
    expect(body.data.map((one: CallRecord) => one.call_id)).to.deep.equal([call_id])
  })

  it('are named by to.number and phone_number, by agents who dial them, and by each form of the action', async () => {
    const own = await app(longSub)
    const ways: [string, () => Promise<string>][] = [
      ...[{ to: { number: `client:${longSub}` } }, { phone_number: `client:${longSub}` }].map(
        (params): [string, () => Promise<string>] => [
          JSON.stringify(Object.keys(params)),
          async () => calls().call('desk', [{ action: 'to_operator', params }]),
        ],
      ),
      ...[{ sub: longSub }, { client: longSub }, { client: `client:${longSub}`, timeout: 9 }].map(
        (params): [string, () => Promise<string>] => [
          JSON.stringify(Object.keys(params)),
          async () => calls().call('desk', [{ action: 'connect_client', params }]),
        ],
      ),
    ]
    for (const [how, call] of ways) {
      own.mark()
      const id = await call()
      const ring = await own.rung()
      expect(ring.call_id, how).to.equal(id)
      expect(ring.from.number).to.equal('desk')
      const clientLeg = await SilentClient.take(ring as Way)
      await clientLeg.answer()
      await calls().reaches(id, 'active')
      clientLeg.say('call.hangup')
      expect((await whole(id)).status, how).to.equal('completed')
    }
    own.mark()
    const made = await succeed(
      anna.api.post('/call-center/calls/make', { to: `client:${longSub}`, type: 'audio' }),
    )
    const annas = await SilentClient.take(made)
    await annas.answer()
    const ring = await own.rung()
    expect(ring.from).to.deep.equal({ number: 'anna', name: 'Agent anna' })
    const clientLeg = await SilentClient.take(ring as Way)
    await clientLeg.answer()
    await calls().reaches(made.call_id as string, 'active')
    annas.say('call.hangup')
    await clientLeg.hears('call.ended')
    expect(await whole(made.call_id as string)).to.include({ status: 'completed', to: `client:${longSub}` })
    own.close()
  })

  it('are told on every stream of theirs; the first who answers has the call, and the others are told', async () => {
    const [phone, tablet] = [await app('yan'), await app('yan')]
    await bench.leadsTo('connect_client', { sub: 'yan' })
    const caller = await bench.call(callerHz)
    const [ring, other] = [await phone.rung(), await tablet.rung()]
    expect(ring.call_token).not.to.equal(other.call_token)
    const [clientLeg, late] = [await SilentClient.take(ring as Way), await SilentClient.take(other as Way)]
    await late.hears('call.offer')
    await clientLeg.answer()
    expect(await late.hears('call.ended')).to.deep.equal({ reason: 'answered_elsewhere' })
    expect(await tablet.canceled(ring.call_id as string)).to.equal('answered_elsewhere')
    expect(await caller.answered()).to.equal(200)
    await caller.hangUp()
    await clientLeg.hears('call.ended')
    await phone.stream.next('call.ended')
    expect(phone.had('call.canceled', ring.call_id as string)).to.equal(0)
    const { record } = await bench.end()
    expect(record.legs.filter(({ answered_at }) => answered_at !== null)).to.have.length(2)

    tablet.mark()
    const again = await bench.call(callerHz)
    const { call_id } = await tablet.rung()
    again.phone.cancel(again)
    expect(await tablet.canceled(call_id as string)).to.equal('caller_hangup')
    await bench.end()
    for (const one of [phone, tablet]) one.close()
  })

  it('open the call’s own stream from the first ring on; who has declined is told nothing that is said later', async () => {
    const { appliance, workspace } = calls()
    await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { call_recording: true }))
    const own = await app('wim')
    for (const declines of [false, true]) {
      own.mark()
      await bench.inbound.runs([
        { id: 'record', type: 'recording', next: { default: 'to' } },
        { id: 'to', type: 'connect_client', params: { sub: 'wim' }, next: { busy: 'desk' } },
        { id: 'desk', type: 'to_operator', params: { phone_number: 'desk' } },
      ])
      const caller = await bench.call(callerHz)
      const { call_id, ...way } = (await own.rung()) as Way
      const about = await EventReader.open(own.api, { callId: call_id })
      const refused = await EventReader.open(as('stranger'), { callId: call_id }).catch(String)
      expect(refused).to.include('404')
      if (declines) await succeed(own.api.post(`/call-center/calls/${call_id}/reject`, {}))
      else await (await SilentClient.take(way)).answer()
      await calls().reaches(call_id, 'active')
      await caller.hangUp()
      await about.next('call.ended')
      await eventually(
        async () =>
          (await calls().api.get(`/recordings?call_id=${call_id}`)).body.data as { status: string }[],
        ([recording]) => recording?.status === 'ready',
        { what: 'recording', withinMs: 20_000 },
      )
      if (!declines) await about.next('recording.completed')
      const told = about.events.map(({ event }) => event).filter((name) => name.startsWith('recording.'))
      // While it rang the client may have been told that the recording has started.
      if (declines) expect(told.filter((name) => name !== 'recording.started')).to.deep.equal([])
      about.close()
    }
    own.close()
  })

  it('reject a call with the call’s token or their own: the caller is told 486, and the flow of busy', async () => {
    const own = await app('vera')
    await bench.leadsTo('connect_client', { sub: 'vera' })
    for (const primary of ['call', 'client'] as const) {
      own.mark()
      const caller = await bench.call(callerHz)
      const { call_id, call_token } = (await own.rung()) as Way
      const path = `/call-center/calls/${call_id}/reject`
      expect((await as('stranger').post(path, {})).status).to.equal(404)
      const authorization = primary === 'call' ? `Bearer ${call_token}` : own.api.authorization
      const { status, body } = await own.api.with({ authorization }).post(path, { reason: 'busy' })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(await own.canceled(call_id)).to.equal('rejected')
      expect(await caller.answered()).to.equal(486)
      expect((await bench.end()).outcome).to.equal('to:busy')
    }
    own.close()
  })

  it('who are not there are offline: the next action runs, and a call to one ends so', async () => {
    await bench.inbound.runs([
      { id: 'to', type: 'connect_client', params: { sub: 'nobody' }, next: { offline: 'desk' } },
      { id: 'desk', type: 'to_operator', params: { phone_number: 'desk' } },
    ])
    const caller = await bench.call(callerHz)
    expect(await caller.answered()).to.equal(200)
    await hearing(caller, deskHz, 'the desk')
    await caller.hangUp()
    expect((await bench.end()).outcome).to.equal('to:offline')
    const id = await calls().call('desk', [
      { action: 'connect_client', params: { client: 'nobody' } },
      { action: 'hangup', params: { cause: 'USER_BUSY' } },
    ])
    expect(await whole(id)).to.include({ hangup_cause: 'USER_BUSY' })
    const steps = (await calls().timeline(id)).filter(({ event }) => event === 'call.action')
    expect(steps.map(({ details }) => (details as { outcome: string }).outcome)).to.include('offline')
    const alone = await calls().call('client:nobody', [])
    expect(await whole(alone)).to.include({
      status: 'failed',
      hangup_cause: 'SUBSCRIBER_ABSENT',
      duration: 0,
    })
  })

  it('who do not answer in time are told so, and the flow too; a call that is given up rings no more', async () => {
    const own = await app('una')
    await bench.leadsTo('connect_client', { sub: 'una', timeout: 2 })
    await bench.call(callerHz)
    const { call_id } = await own.rung()
    expect(await own.canceled(call_id as string)).to.equal('timeout')
    expect((await bench.end()).outcome).to.equal('to:no_answer')
    const id = await calls().call('client:una', [])
    await calls().reaches(id, 'ringing')
    await calls().api.post(`/calls/${id}/hangup`)
    expect(await own.canceled(id)).to.equal('caller_hangup')
    expect(await whole(id)).to.include({ status: 'canceled', duration: 0 })
    own.close()
  })

  it('are reached by the answer of a customer’s server, also for another client, whose own flow decides', async () => {
    const url = customer.on(
      '/who',
      answering({ actions: [{ action: 'connect_client', params: { sub: 'zoe', timeout: 20 } }] }),
    )
    const call_flow_id = await bench.inbound.flow(
      [{ id: 'ask', type: 'json_call_action', params: { url } }],
      'outbound',
    )
    const [own, had] = [as('tom', { call_flow_id }), await zoe.incomingCalls()]
    const made = await succeed(own.post('/call-center/calls/make', { to: 'client:zoe' }))
    const clientLeg = await SilentClient.take(made)
    await clientLeg.answer()
    const ring = await zoe.rung(had)
    expect(ring).to.deep.include({ from: { number: 'tom', name: 'tom' } })
    expect(ring).to.deep.include({ to: { number: 'client:zoe', name: 'client:zoe' } })
    await zoe.enter(ring)
    await zoe.answer()
    await calls().reaches(made.call_id as string, 'active')
    await zoe.say('call.hangup')
    await clientLeg.hears('call.ended')
    expect(await whole(made.call_id as string)).to.include({
      from: 'tom',
      to: 'client:zoe',
      status: 'completed',
    })
  })

  it('are handed a call by an agent, by the API and by the agent’s socket, when something reaches them', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    for (const by of ['api', 'socket'] as const) {
      anna.mark()
      const caller = await bench.call(callerHz)
      const { call_id, ...way } = (await anna.rung()) as Way
      const clientLeg = await SilentClient.take(way)
      await clientLeg.answer()
      await calls().reaches(call_id, 'active')
      const path = `/call-center/calls/${call_id}/transfer`
      const absent = await anna.api.post(path, { target: 'client:nobody' })
      expect(absent.status).to.equal(400)
      expect(absent.body.errors[0].messages[0]).to.equal(
        'target is not available: the client nobody is offline',
      )
      const had = await zoe.incomingCalls()
      if (by === 'api') {
        const { to, to_agent } = await succeed(
          anna.api.post(path, { target: 'client:zoe', reason: 'A refund' }),
        )
        expect(to).to.deep.equal({ kind: 'client', id: 'zoe', name: 'zoe' })
        expect(to_agent).to.equal(null)
      } else clientLeg.say('call.transfer', { target: 'client:zoe', reason: 'A refund' })
      const ring = await zoe.rung(had)
      await zoe.enter(ring)
      expect(await zoe.told('call.offer')).to.include({ transfer_reason: 'A refund' })
      await zoe.answer()
      await clientLeg.hears('call.ended')
      await hearEachOther(caller)
      await caller.hangUp()
      await zoe.told('call.ended')
      const { record } = await bench.end()
      expect(record.status).to.equal('completed')
    }
  })

  it('are rung again when the server was killed, and keep the talk that they have', async () => {
    const { appliance } = calls()
    const own = await app('sam')
    const id = await calls().call('client:sam', [])
    await own.rung()
    const { caller, way } = await talk()
    await appliance.killServer()
    await appliance.startServer()
    await own.listen()
    const again = (await own.rung()) as Way
    expect(again.call_id).to.equal(id)
    const clientLeg = await SilentClient.take(again)
    await clientLeg.answer()
    await zoe.enter(way, true)
    await zoe.told('call.token')
    await hearEachOther(caller)
    await zoe.say('call.hangup')
    expect(await caller.over()).to.equal('BYE')
    expect((await whole(id)).legs.some(({ answered_at }) => answered_at !== null)).to.equal(true)
    await clientLeg.hears('call.ended')
    own.close()
  })
})
