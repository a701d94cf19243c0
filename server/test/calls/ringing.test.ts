/** Agents who are reached in several ways at once, on a real FreeSWITCH: softphones, and apps without media. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { SilentApp, SilentClient } from '../support/silent-app.js'
import { TeamBench, type Worker, rung } from '../support/team-bench.js'

describe('people who are rung in several ways on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  /** Has a softphone and two apps. */
  let anna: Worker
  let annas: SilentApp[]
  /** Has an app alone. */
  let ben: SilentApp
  let team: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({
      settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000', JACKFIELD_CALLS_APP_GRACE: '5' },
    })
    anna = await bench.worker('anna', 600)
    const { api } = bench.phones
    annas = [await SilentApp.of(api, anna.agent, 'desk'), await SilentApp.of(api, anna.agent, 'pocket')]
    ben = await SilentApp.of(api, await bench.phones.agent('ben'))
    team = await bench.phones.team('Both', [anna.agent, ben.agent])
    await bench.phones.extension('401', ben.agent)
  })
  beforeEach(() => {
    anna.phone.onCall = 'ring'
  })
  after(async () => {
    for (const app of [...(annas ?? []), ben]) app?.close()
    await bench?.stop()
  })

  const toAnna = async (params: object = {}) =>
    bench.leadsTo('connect_agent', { agent_id: anna.agent.id, ...params })
  const toBen = async (params: object = {}) =>
    bench.leadsTo('connect_agent', { agent_id: ben.agent.id, ...params })
  const free = async (...agents: { id: string }[]) => {
    for (const { id } of agents) {
      await eventually(
        async () => (await bench.phones.api.get(`/agents/${id}`)).body.state as string,
        (state) => state !== 'incall' && state !== 'busy',
        { what: `${id} without a call` },
      )
    }
  }
  /** How many calls the softphone has had; apps tell of those from now on. */
  const sofar = () => {
    for (const app of [...annas, ben]) app.mark()
    return anna.phone.incoming.length
  }

  it('ring on all at once, each app with a token of its own; an app answers, and the others stop', async () => {
    await toAnna()
    const had = sofar()
    const caller = await bench.call()
    const [desk, pocket] = await Promise.all(annas.map(async (app) => app.rung()))
    const phone = await rung(anna, had)
    expect(desk).to.have.all.keys('event', 'call_id', 'call_token', 'ws_url', 'from', 'to', 'timestamp')
    expect(desk.from.number).to.equal('+12125550123')
    expect(desk.to.number).to.equal(bench.inbound.number)
    expect(desk.call_token).not.to.equal(pocket.call_token)
    const clientLegs = [await SilentClient.take(desk), await SilentClient.take(pocket)] as const
    await clientLegs[1].hears('call.offer')
    await clientLegs[0].answer()
    expect(await caller.answered()).to.equal(200)
    expect(await clientLegs[1].hears('call.ended')).to.deep.equal({ reason: 'answered_elsewhere' })
    expect(await clientLegs[1].closed()).to.equal(1000)
    expect(await phone.over()).to.equal('CANCEL')
    expect(await annas[1]!.canceled(desk.call_id)).to.equal('answered_elsewhere')
    await caller.hangUp()
    expect(await clientLegs[0].hears('call.ended')).to.deep.equal({ reason: 'hangup' })
    const { record } = await bench.end()
    const operators = record.legs.filter(({ role }) => role === 'destination')
    expect(operators.map(({ agent_id }) => agent_id)).to.deep.equal(operators.map(() => anna.agent.id))
    const ends = operators.map(({ uri, hangup_cause }) => `${uri.split(':')[0]} ${hangup_cause}`)
    expect(ends).to.have.members(['app NORMAL_CLEARING', 'app LOSE_RACE', 'sip LOSE_RACE'])
    expect(record.legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    expect(annas[0]!.had('call.canceled', desk.call_id), 'the app that answered is not told').to.equal(0)
  })

  it('stop on all apps when the softphone answers', async () => {
    await toAnna()
    const had = sofar()
    const caller = await bench.call()
    const desk = await annas[0]!.rung()
    const clientLeg = await SilentClient.take(desk)
    await clientLeg.hears('call.offer')
    anna.phone.accept(await rung(anna, had))
    expect(await caller.answered()).to.equal(200)
    expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'answered_elsewhere' })
    for (const app of annas) expect(await app.canceled(desk.call_id)).to.equal('answered_elsewhere')
    await caller.hangUp()
    await bench.end()
  })

  it('are one to whom all must be refused once: a rejection on one app is one by the person', async () => {
    await toAnna()
    const had = sofar()
    const caller = await bench.call()
    const desk = await annas[0]!.rung()
    const clientLeg = await SilentClient.take(desk)
    await clientLeg.hears('call.offer')
    clientLeg.say('call.reject', { reason: 'not now' })
    expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'rejected' })
    expect(await (await rung(anna, had)).over()).to.equal('CANCEL')
    expect(await annas[1]!.canceled(desk.call_id)).to.equal('rejected')
    await caller.over()
    expect((await bench.end()).outcome).to.equal('to:busy')
    await free(anna.agent)
  })

  it('go on ringing elsewhere when one app leaves, or the softphone is busy', async () => {
    await toAnna()
    anna.phone.onCall = 486
    sofar()
    const caller = await bench.call()
    const [desk, pocket] = await Promise.all(annas.map(async (app) => app.rung()))
    const left = await SilentClient.take(desk)
    await left.hears('call.offer')
    left.cut()
    const clientLeg = await SilentClient.take(pocket)
    await clientLeg.answer()
    expect(await caller.answered()).to.equal(200)
    await caller.hangUp()
    await bench.end()
  })

  it('stop when the caller hangs up, and when the time is over', async () => {
    await toBen({ timeout: 3 })
    sofar()
    const caller = await bench.call()
    const first = await ben.rung()
    await caller.heard(180)
    const clientLeg = await SilentClient.take(first)
    await clientLeg.hears('call.offer')
    caller.phone.cancel(caller)
    expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'caller_hangup' })
    expect(await ben.canceled(first.call_id)).to.equal('caller_hangup')
    await bench.end()
    sofar()
    const other = await bench.call()
    const second = await ben.rung()
    expect(await ben.canceled(second.call_id)).to.equal('timeout')
    await other.over()
    expect((await bench.end()).outcome).to.equal('to:no_answer')
  })

  it('are busy while they have a call, and offline when they have no app left', async () => {
    await toBen({ timeout: 5 })
    sofar()
    const caller = await bench.call()
    const ring = await ben.rung()
    const clientLeg = await SilentClient.take(ring)
    await clientLeg.answer()
    expect(await caller.answered()).to.equal(200)
    const second = await bench.call()
    await second.over()
    expect((await bench.end()).outcome).to.equal('to:busy')
    clientLeg.say('call.hangup')
    await caller.over()
    await free(ben.agent)
    ben.close()
    await eventually(
      async () => {
        await (await bench.call()).over()
        return (await bench.end()).outcome
      },
      (outcome) => outcome === 'to:offline',
      { what: 'ben offline', withinMs: 20_000 },
    )
    await ben.listen()
  })

  it('are members of teams with whatever reaches them', async () => {
    await bench.leadsTo('connect_team', { team_id: team })
    const had = sofar()
    const caller = await bench.call()
    const phone = await rung(anna, had)
    const ring = await ben.rung()
    const clientLeg = await SilentClient.take(ring)
    await clientLeg.answer()
    expect(await caller.answered()).to.equal(200)
    expect(await phone.over()).to.equal('CANCEL')
    expect(await annas[0]!.canceled(ring.call_id)).to.equal('answered_elsewhere')
    await caller.hangUp()
    await bench.end()
    await free(anna.agent, ben.agent)
  })

  it('end a team’s call at once when all of them reject it', async () => {
    await bench.leadsTo('connect_team', { team_id: team, timeout: 60 })
    sofar()
    const caller = await bench.call()
    for (const app of [annas[0]!, ben]) {
      const clientLeg = await SilentClient.take(await app.rung())
      await clientLeg.hears('call.offer')
      clientLeg.say('call.reject', {})
      expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'rejected' })
    }
    expect(await caller.answered()).to.equal(480)
    expect((await bench.end()).outcome).to.equal('to:no_answer')
    await free(anna.agent, ben.agent)
  })

  it('ring on their apps also when a phone dials them, and are busy for it when they reject', async () => {
    const desk = await bench.phones.phone(await bench.phones.account('desk'), { toneHz: 1700 })
    sofar()
    const call = desk.call('401')
    const ring = await ben.rung()
    expect(ring.from.name).to.equal('Phone of desk')
    await call.heard(180)
    const clientLeg = await SilentClient.take(ring)
    await clientLeg.answer()
    expect(await call.answered()).to.equal(200)
    await call.hangUp()
    await clientLeg.hears('call.ended')
    await free(ben.agent)
    sofar()
    const other = desk.call('ben')
    const refusing = await SilentClient.take(await ben.rung())
    await refusing.hears('call.offer')
    refusing.say('call.reject', {})
    expect(await other.answered()).to.equal(486)
    await free(ben.agent)
  })

  it('keep a call for a while when their socket is lost, and are hung up after it', async () => {
    await toBen()
    sofar()
    const caller = await bench.call()
    const ring = await ben.rung()
    const clientLeg = await SilentClient.take(ring)
    const token = await clientLeg.answer()
    clientLeg.cut()
    const back = await SilentClient.take({ ...ring, call_token: token }, true)
    const fresh = (await back.hears('call.token')).call_token as string
    back.cut()
    const again = await SilentClient.take({ ...ring, call_token: fresh })
    await again.answer()
    expect(caller.state).to.equal('up')
    again.cut()
    await caller.over()
    const { record } = await bench.end()
    expect(record.legs.filter(({ role }) => role === 'destination').length).to.equal(2)
  })

  it('are rung again when the server was killed', async () => {
    await toBen()
    sofar()
    const caller = await bench.call()
    const ring = await ben.rung()
    await bench.inbound.bench.appliance.killServer()
    await bench.inbound.bench.appliance.startServer()
    await ben.listen()
    const again = await ben.rung()
    expect(again.call_id).to.equal(ring.call_id)
    // The token of before is as good.
    const clientLeg = await SilentClient.take(ring)
    await clientLeg.answer()
    expect(await caller.answered()).to.equal(200)
    await caller.hangUp()
    await clientLeg.hears('call.ended')
    await bench.end()
  })
})
