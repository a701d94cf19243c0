/** Agents whose app is in a browser, called from outside on a real FreeSWITCH: who is told, and who hears whom. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { type AgentApp, AppBench, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { Telephone } from '../support/telephone.js'
import { TeamBench, hearing } from '../support/team-bench.js'

const callerHz = 440

interface Bridge {
  app: AgentApp
  caller: PhoneDialog
  way: Way
}

describe('apps in browsers on the freeswitch', function () {
  this.timeout(180_000)
  let bench: TeamBench
  let apps: AppBench
  let anna: AgentApp

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({
      settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000', JACKFIELD_CALLS_APP_GRACE: '5' },
    })
    apps = await AppBench.on(bench)
    anna = await apps.agent('anna', 900)
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => apps?.stop())

  async function hearEachOther(caller: PhoneDialog, app: AgentApp): Promise<void> {
    await Promise.all([hearing(caller, app.hz, 'the caller hears the app'), app.page.hears([callerHz])])
  }

  it('are told of a call, answer it, and hear and are heard', async () => {
    const had = await anna.incomingCalls()
    const caller = await bench.call(callerHz)
    const ring = await anna.rung(had)
    expect(ring).to.include({ call_id: ring.call_id }).and.have.property('from')
    expect(caller.state).to.equal('ringing')
    await anna.enter(ring)
    await anna.answer()
    expect(await caller.answered()).to.equal(200)
    await hearEachOther(caller, anna)
    await anna.say('call.hangup')
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
    expect(await anna.closed()).to.equal(1000)
    expect(await caller.over()).to.equal('BYE')
    const { record } = await bench.end()
    expect(record.legs.map(({ role, agent_id }) => [role, agent_id])).to.eql([
      ['caller', null],
      ['destination', anna.agent.id],
    ])
  })

  it('are told when the caller hangs up, before the answer and after it', async () => {
    let had = await anna.incomingCalls()
    const caller = await bench.call(callerHz)
    await anna.pickUp(had)
    await hearEachOther(caller, anna)
    await caller.hangUp()
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
    await bench.end()
    had += 1
    const other = await bench.call(callerHz)
    const ring = await anna.rung(had)
    await anna.enter(ring)
    await anna.told('call.offer')
    other.phone.cancel(other)
    expect(await anna.told('call.ended')).to.eql({ reason: 'caller_hangup' })
    await bench.end()
  })

  it('reject a call', async () => {
    const had = await anna.incomingCalls()
    const caller = await bench.call(callerHz)
    await anna.enter(await anna.rung(had))
    await anna.told('call.offer')
    await anna.say('call.reject', { reason: 'busy' })
    expect(await anna.told('call.ended')).to.eql({ reason: 'rejected' })
    expect(await caller.answered()).to.be.oneOf([480, 486, 603])
    const { outcome } = await bench.end()
    expect(outcome).to.equal('to:busy')
  })

  /** A call that anna has taken, and how she comes back to it. */
  async function talk(): Promise<{ caller: PhoneDialog; way: Way }> {
    const had = await anna.incomingCalls()
    const caller = await bench.call(callerHz)
    const way = await anna.pickUp(had)
    await hearEachOther(caller, anna)
    return { caller, way }
  }

  async function hangUp(caller: PhoneDialog): Promise<void> {
    await caller.hangUp()
    await anna.told('call.ended')
    await bench.end()
  }

  const silentFor = async (caller: PhoneDialog, hz: number, what: string) =>
    eventually(
      async () => hears(caller, hz, 4_000),
      (level) => level < 0.1,
      { what },
    )

  it('hold the caller, and take the talk up again', async () => {
    const { caller } = await talk()
    await anna.say('call.hold')
    await anna.told('call.held')
    await anna.page.hears([], [callerHz])
    await silentFor(caller, anna.hz, 'the caller hears the app no more')
    await anna.say('call.unhold')
    await anna.told('call.unheld')
    await hearEachOther(caller, anna)
    await hangUp(caller)
  })

  it('mute themselves: the caller hears nothing, and they hear the caller', async () => {
    const { caller } = await talk()
    await anna.say('call.mute')
    expect(await anna.told('call.muted')).to.eql({ muted: true })
    await silentFor(caller, anna.hz, 'the caller hears the app no more')
    await anna.page.hears([callerHz])
    await anna.say('call.mute', { muted: false })
    expect(await anna.told('call.muted', 1)).to.eql({ muted: false })
    await hearEachOther(caller, anna)
    await hangUp(caller)
  })

  it('press keys for the caller, in their audio or by their socket', async () => {
    const { caller } = await talk()
    const keys = () =>
      caller.phone.ear
        .heard()
        .map((heard) => heard.keys)
        .join('')
    await anna.page.press('15#')
    await eventually(
      async () => keys(),
      (pressed) => pressed === '15#',
      { what: 'keys 15#' },
    )
    await anna.say('call.dtmf', { digits: '90*' })
    await eventually(
      async () => keys(),
      (pressed) => pressed === '15#90*',
      { what: 'keys 90*' },
    )
    await hangUp(caller)
  })

  it('come back with new media after a reload', async () => {
    const { caller, way } = await talk()
    await anna.page.load()
    await anna.listen()
    await anna.enter(way)
    await anna.answer()
    await hearEachOther(caller, anna)
    await hangUp(caller)
  })

  it('who does not come back loses the call', async () => {
    const { caller } = await talk()
    await anna.page.load()
    expect(await caller.over()).to.equal('BYE')
    await bench.end()
    await anna.listen()
  })

  it('win on one device of many: the others ring no more', async () => {
    const phone = await bench.phones.phone(anna.agent, { toneHz: 1300, onCall: 'ring' })
    const other = await apps.app(anna.agent, 700)
    const [had, otherHad] = [await anna.incomingCalls(), await other.incomingCalls()]
    const caller = await bench.call(callerHz)
    const [ring, otherRing] = await Promise.all([anna.rung(had), other.rung(otherHad)])
    expect(ring.call_token).not.to.equal(otherRing.call_token)
    const onPhone = await phone.called(0)
    await other.enter(otherRing)
    await other.told('call.offer')
    await anna.enter(ring)
    await anna.answer()
    expect(await other.told('call.ended')).to.eql({ reason: 'answered_elsewhere' })
    expect(await onPhone.over()).to.equal('CANCEL')
    await hearEachOther(caller, anna)
    await hangUp(caller)
    await phone.register(0)
    await other.page.close()
  })

  it('whose session ends lose their socket, and with the time for coming back the call', async () => {
    const tablet = await apps.app(anna.agent, 700)
    const own = bench.phones.api.with({ authorization: `Bearer ${tablet.accessToken}` })
    const had = await tablet.incomingCalls()
    const caller = await bench.call(callerHz)
    const way = await tablet.pickUp(had)
    await hearEachOther(caller, tablet)
    await own.post('/me/logout', { device_id: tablet.deviceId })
    const isRevoked = async () => {
      expect(await tablet.closed()).to.equal(4003)
      expect(await tablet.told('error')).to.include({ code: 'token_revoked' })
    }
    await isRevoked()
    await tablet.enter(way, true)
    await isRevoked()
    expect(await caller.over()).to.equal('BYE')
    await bench.end()
    await tablet.page.close()
  })

  it('make calls themselves, and hear and are heard', async () => {
    const deskHz = 1300
    const desk = await bench.phones.phone(await bench.phones.account('desk'), { toneHz: deskHz })
    const own = bench.phones.api.with({ authorization: `Bearer ${anna.accessToken}` })
    const { status, body } = await own.post('/call-center/calls/make', { to: 'desk', type: 'audio' })
    expect(status, JSON.stringify(body)).to.equal(201)
    await anna.enter(body as Way)
    await anna.answer()
    const answer = await desk.called(0)
    await Promise.all([hearing(answer, anna.hz, 'the desk hears the app'), anna.page.hears([deskHz])])
    await anna.say('call.hangup')
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
    expect(await answer.over()).to.equal('BYE')
  })

  it('hear in their calls what the far end plays before it answers', async () => {
    const farHz = 1500
    const carrier = { username: 'carrier', domain: 'carrier.test', server: '127.0.0.1:1' }
    const far = await Telephone.open({ ...carrier, toneHz: farHz, onCall: 'ring' })
    const address = { uri: '127.0.0.1', port: far.port, protocol: 'udp', priority: 1 } as const
    await bench.inbound.bench.connectNumber('2025550171', [address])
    const own = bench.phones.api.with({ authorization: `Bearer ${anna.accessToken}` })
    const input = { to: '+12025550106', from: '+12025550171', type: 'audio' }
    const { status, body } = await own.post('/call-center/calls/make', input)
    expect(status, JSON.stringify(body)).to.equal(201)
    await anna.enter(body as Way)
    await anna.answer()
    const dialog = await far.called(0)
    far.announce(dialog)
    await anna.page.hears([farHz])
    expect((await bench.inbound.bench.record(body.call_id as string)).answered_at).to.equal(null)
    far.accept(dialog)
    await dialog.up()
    await Promise.all([hearing(dialog, anna.hz, 'the far end hears the app'), anna.page.hears([farHz])])
    await dialog.hangUp()
    await anna.told('call.ended')
    expect((await bench.inbound.bench.ended(body.call_id as string)).status).to.equal('completed')
    await far.close()
  })

  it('hand a caller over by their socket, to an extension of a SIP phone', async () => {
    const desk = await bench.phones.account('reception')
    const phone = await bench.phones.phone(desk, { toneHz: 1500 })
    await bench.phones.extension('305', desk)
    const { caller } = await talk()
    await anna.say('call.transfer', { target: '999' })
    expect(await anna.told('error')).to.include({ code: 'bad_target' })
    await hearEachOther(caller, anna)
    await anna.say('call.transfer', { target: '305', reason: 'wants to come by' })
    expect(await anna.told('call.ended')).to.eql({ reason: 'transferred' })
    expect(await anna.closed()).to.equal(1000)
    const taken = await phone.called(0)
    await Promise.all([
      hearing(caller, 1500, 'the caller hears the desk'),
      hearing(taken, callerHz, 'and is heard'),
    ])
    await caller.hangUp()
    expect(await taken.over()).to.equal('BYE')
    await bench.end()
  })

  it('are joined with whom a phone talks that has called them beside (REFER with Replaces)', async () => {
    const [front, back] = [await bench.phones.account('front'), await bench.phones.account('back')]
    const phone = await bench.phones.phone(front, { toneHz: 1500 })
    const other = await bench.phones.phone(back, { toneHz: callerHz })
    const caller = other.call('front')
    expect(await caller.answered()).to.equal(200)
    const taken = await phone.called(0)
    const had = await anna.incomingCalls()
    const out = phone.call('anna')
    await anna.pickUp(had)
    expect(await out.answered()).to.equal(200)
    await hearing(out, anna.hz, 'the phone hears the app')
    expect(await phone.joinCalls(taken, out)).to.equal(202)
    await hearEachOther(caller, anna)
    await caller.hangUp()
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
    const { record } = await bench.end()
    expect(record.legs.map(({ role }) => role).sort()).to.eql(['caller', 'destination', 'destination'])
  })

  it('go on hearing when their socket was lost, and come back to it', async () => {
    const had = await anna.incomingCalls()
    const caller = await bench.call(callerHz)
    const way = await anna.pickUp(had)
    await hearEachOther(caller, anna)
    await anna.page.call('app', 'hangUpSocket')
    await anna.closed()
    await hearEachOther(caller, anna)
    await anna.enter(way, true)
    await anna.told('call.token')
    await hearEachOther(caller, anna)
    await caller.hangUp()
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
    await bench.end()
  })

  it('go on hearing while the server is killed; who comes back to the next one goes on, and others lose the call', async () => {
    const others = await Promise.all(
      ['ben', 'cleo', 'dora'].map(async (name, index) => apps.agent(name, 1100 + 200 * index)),
    )
    const all = [anna, ...others]
    const bridges: Bridge[] = []
    for (const app of all) {
      await bench.leadsTo('connect_agent', { agent_id: app.agent.id })
      const had = await app.incomingCalls()
      const caller = await bench.call(callerHz)
      bridges.push({ app, caller, way: await app.pickUp(had) })
    }
    await Promise.all(bridges.map(async ({ app, caller }) => hearEachOther(caller, app)))
    const { appliance } = bench.inbound.bench
    await appliance.killServer()
    await Promise.all(
      bridges.map(async ({ app, caller }) => {
        expect(await app.closed()).to.equal(1006)
        const before = await app.page.packets()
        await eventually(
          async () => app.page.packets(),
          (packets) => packets > before + 100,
          { what: 'two seconds of packets without a server' },
        )
        await hearEachOther(caller, app)
      }),
    )
    await appliance.startServer()
    const [back, reloaded, away, left] = bridges as [Bridge, Bridge, Bridge, Bridge]
    await back.app.enter(back.way, true)
    await back.app.told('call.token')
    await hearEachOther(back.caller, back.app)
    await reloaded.app.page.load()
    await reloaded.app.listen()
    await reloaded.app.enter(reloaded.way)
    await reloaded.app.answer()
    await hearEachOther(reloaded.caller, reloaded.app)
    await left.caller.hangUp()
    expect(await away.caller.over()).to.equal('BYE')
    await back.app.say('call.hangup')
    expect(await back.app.told('call.ended')).to.eql({ reason: 'hangup' })
    expect(await back.caller.over()).to.equal('BYE')
    await reloaded.caller.hangUp()
    await reloaded.app.told('call.ended')
    for (const { way } of bridges) {
      const { status, legs } = await bench.inbound.bench.ended(way.call_id)
      expect(status).to.equal('completed')
      expect(legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    }
  })
})
