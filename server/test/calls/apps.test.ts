/** Agents whose app is in a browser, called from outside on a real FreeSWITCH: who is told, and who hears whom. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { type AgentApp, AppBench, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type PhoneDialog } from '../support/phone-dialog.js'
import { TeamBench, hearing } from '../support/team-bench.js'

const callerHz = 440

describe('apps in browsers on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let apps: AppBench
  let anna: AgentApp

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000' } })
    apps = await AppBench.on(bench)
    anna = await apps.agent('anna', 900)
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => apps?.stop())

  async function hearEachOther(caller: PhoneDialog, app: AgentApp): Promise<void> {
    await Promise.all([hearing(caller, app.hz, 'the caller hears the app'), app.page.hears([callerHz])])
  }

  it('are told of a call, answer it, and hear and are heard', async () => {
    const had = await anna.rings()
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
      ['operator', anna.agent.id],
    ])
  })

  it('are told when the caller hangs up, before the answer and after it', async () => {
    let had = await anna.rings()
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

  it('reject a call', async () => {
    const had = await anna.rings()
    const caller = await bench.call(callerHz)
    await anna.enter(await anna.rung(had))
    await anna.told('call.offer')
    await anna.say('call.reject', { reason: 'busy' })
    expect(await anna.told('call.ended')).to.eql({ reason: 'rejected' })
    expect(await caller.answered()).to.be.oneOf([480, 486, 603])
    const { outcome } = await bench.end()
    expect(outcome).to.equal('to:busy')
  })

  it('go on hearing when their socket was lost, and come back to it', async () => {
    const had = await anna.rings()
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

  it('go on hearing while the server is killed, and come back to the next one', async () => {
    const had = await anna.rings()
    const caller = await bench.call(callerHz)
    const way = await anna.pickUp(had)
    await hearEachOther(caller, anna)
    await bench.inbound.bench.appliance.killServer()
    await anna.closed()
    const before = await anna.page.packets()
    await eventually(
      async () => anna.page.packets(),
      (packets) => packets > before + 100,
      { what: 'two seconds of packets without a server' },
    )
    await hearEachOther(caller, anna)
    await bench.inbound.bench.appliance.startServer()
    await anna.enter(way, true)
    await anna.told('call.token')
    await hearEachOther(caller, anna)
    await anna.say('call.hangup')
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
    expect(await caller.over()).to.equal('BYE')
    const { record } = await bench.end()
    expect(record.legs.map(({ hangup_cause }) => hangup_cause)).to.eql(['NORMAL_CLEARING', 'NORMAL_CLEARING'])
    await anna.listen()
  })
})
