/** Two servers on one database, one Redis and one FreeSWITCH: one drives the calls, and both serve agents and apps. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { clientToken } from '../api/fixtures.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import { EventReader } from '../support/event-reader.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { RedisServer } from '../support/redis.js'
import { SilentApp, SilentListener, SilentClient } from '../support/silent-app.js'
import { TeamBench } from '../support/team-bench.js'

interface Way {
  call_id: string
  call_token: string
  ws_url: string
}

describe('calls of several servers on the freeswitch', function () {
  this.timeout(120_000)
  let redis: RedisServer
  let bench: TeamBench
  /** The server that drives calls, and another one. */
  let here: ApiClient
  let there: ApiClient
  /** Ben’s app is at the server that drives calls; Anna’s, and that of Sue, who is a supervisor, at the other. */
  let ben: SilentApp
  let anna: SilentApp
  let sue: SilentApp
  let team: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    redis = await RedisServer.start()
    bench = await TeamBench.start({
      settings: {
        JACKFIELD_REDIS_URL: redis.url,
        JACKFIELD_RATE_LIMITS_AUTH: '1000000',
        JACKFIELD_CALLS_APP_GRACE: '5',
      },
    })
    here = bench.phones.api
    there = here.with({ port: await bench.inbound.bench.appliance.startAnotherServer() })
    const agents = [
      await bench.phones.agent('ben'),
      await bench.phones.agent('anna'),
      await bench.phones.agent('sue'),
    ] as const
    await here.patch(`/agents/${agents[2].id}`, { role: 'supervisor' })
    team = await bench.phones.team('Sales', agents)
    ben = await SilentApp.of(here, agents[0])
    anna = await SilentApp.of(there, agents[1])
    sue = await SilentApp.of(there, agents[2])
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => {
    for (const app of [ben, anna, sue]) app?.close()
    await bench?.stop()
    await redis?.stop()
  })
  beforeEach(() => {
    for (const app of [ben, anna]) app?.mark()
  })

  /** Takes a seat by way of the other server. */
  const sit = async ({ ws_url, call_token }: Way, resume = false) => {
    const url = new URL(ws_url)
    url.port = String(there.port)
    return SilentClient.take({ ws_url: url.href, call_token }, resume)
  }
  const begin = async () => {
    const caller = await bench.call()
    const way = (await anna.rung()) as Way
    const clientLeg = await sit(way)
    const call_token = await clientLeg.answer()
    expect(await caller.answered()).to.equal(200)
    await bench.inbound.bench.reaches(way.call_id, 'active')
    return { caller, seat: clientLeg, way: { ...way, call_token }, path: `/call-center/calls/${way.call_id}` }
  }
  /** What a stream was told of an agent since it had so many events. */
  const statesOf = ({ agent }: SilentApp, by: SilentApp, since: number): string[] =>
    by.stream.events
      .slice(since)
      .filter(({ event, data }) => event === 'workspace.agent.state' && data.agent_id === agent.id)
      .map(({ data }) => data.state as string)
  const told = async (of: SilentApp, by: SilentApp, since: number, states: string[]) => {
    const found = await eventually(
      async () => statesOf(of, by, since),
      (all) => all.length >= states.length,
      { what: `${states.join()} of ${of.agent.username}`, withinMs: 20_000 },
    )
    expect(found).to.deep.equal(states)
  }
  /** What both servers show of all agents. */
  const shown = async () => {
    const path = `/call-center/teams/${team}/agents/states?sort_field=created_at`
    return Promise.all(
      [here, there].map(async ({ port }) => (await sue.api.with({ port }).get(path)).body.data as object[]),
    )
  }
  const sameEverywhere = async () => {
    const [one, other] = await eventually(shown, ([a, b]) => JSON.stringify(a) === JSON.stringify(b), {
      what: 'one state everywhere',
    })
    expect(one).to.deep.equal(other).and.have.length(3)
    return one as { agent_id: string; state: string }[]
  }

  it('a call rings an app at the other server, which answers, mutes and hangs up there', async () => {
    const [atBens, atSues] = [ben.stream.events.length, sue.stream.events.length]
    const { caller, seat: clientLeg, way } = await begin()
    for (const [by, since] of [[ben, atBens] as const, [sue, atSues] as const]) {
      await told(anna, by, since, ['busy', 'incall'])
    }
    expect((await sameEverywhere()).find(({ agent_id }) => agent_id === anna.agent.id)).to.include({
      ...{ state: 'incall', call_id: way.call_id },
    })
    clientLeg.say('call.mute', { muted: true })
    expect(await clientLeg.hears('call.muted')).to.deep.equal({ muted: true })
    clientLeg.say('call.transfer', { target: 'nobody' })
    expect(await clientLeg.hears('error')).to.include({ code: 'bad_target' })
    clientLeg.say('call.hangup')
    await caller.over()
    expect(await clientLeg.closed()).to.equal(1000)
    await told(anna, ben, atBens, ['busy', 'incall', 'available'])
    await bench.end()
  })

  it('a call rings the apps of a client at both servers; the first who answers has it, and the other is told', async () => {
    const token = clientToken(bench.inbound.bench.workspace, { sub: 'zoe' })
    const apps = [await SilentListener.withToken(here, token), await SilentListener.withToken(there, token)]
    const [one, other] = apps as [SilentListener, SilentListener]
    await bench.leadsTo('connect_client', { sub: 'zoe' })
    const caller = await bench.call()
    const [atOne, atOther] = [(await one.rung()) as Way, (await other.rung()) as Way]
    // The server that does not drive the call asks the one that does who is rung.
    const about = await EventReader.open(other.api, { callId: atOther.call_id })
    const late = await SilentClient.take(atOne)
    await late.hears('call.offer')
    const clientLeg = await sit(atOther)
    await clientLeg.answer()
    expect(await late.hears('call.ended')).to.deep.equal({ reason: 'answered_elsewhere' })
    expect(await one.canceled(atOne.call_id)).to.equal('answered_elsewhere')
    expect(await caller.answered()).to.equal(200)
    clientLeg.say('call.hangup')
    await caller.over()
    await about.next('call.ended')
    expect(other.had('call.canceled', atOther.call_id)).to.equal(0)
    await bench.end()

    other.mark()
    const again = await bench.call()
    const { call_id } = (await other.rung()) as Way
    const path = `/call-center/calls/${call_id}/reject`
    expect((await other.api.post(path, {})).status, 'at the server that does not drive it').to.equal(200)
    expect(await again.answered()).to.equal(486)
    await bench.end()
    for (const app of apps) app.close()
    about.close()
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })

  it('a socket that is lost there comes back there', async () => {
    const { caller, seat: clientLeg, way } = await begin()
    clientLeg.cut()
    const back = await sit(way, true)
    await back.hears('call.token')
    await caller.hangUp()
    expect(await back.hears('call.ended')).to.deep.equal({ reason: 'hangup' })
    await bench.end()
  })

  it('an agent rejects a call at the other server', async () => {
    const caller = await bench.call()
    const { call_id } = await anna.rung()
    const path = `/call-center/calls/${call_id as string}/reject`
    expect((await ben.api.with({ port: there.port }).post(path, {})).status).to.equal(404)
    const { status, body } = await anna.api.post(path, { reason: 'at lunch' })
    expect([status, body]).to.deep.equal([200, { call_id, status: 'rejected' }])
    expect(await anna.canceled(call_id as string)).to.equal('rejected')
    expect(await caller.answered()).to.equal(486)
    await bench.end()
  })

  it('an app that comes to the other server while it rings is told', async () => {
    anna.close()
    await eventually(sameEverywhere, (all) =>
      all.some(({ agent_id, state }) => agent_id === anna.agent.id && state === 'offline'),
    )
    const first = await SilentApp.of(here, anna.agent, 'here')
    const caller = await bench.call()
    const { call_id } = await first.rung()
    first.close()
    // Who has another stream until then was told there.
    await eventually(
      async () => {
        anna.close()
        await sleep(300)
        await anna.listen()
        await sleep(300)
        return anna.stream.events.some(({ event, data }) => event === 'call.ring' && data.call_id === call_id)
      },
      (isTold) => isTold,
      { what: 'call.ring at the other server', withinMs: 20_000 },
    )
    await anna.api.post(`/call-center/calls/${call_id as string}/reject`, {})
    await caller.answered()
    await bench.end()
  })

  it('a call is made, supervised, handed over and hung up by requests to the other server', async () => {
    const { caller, seat: clientLeg, way, path } = await begin()
    const started = await sue.api.post(`${path}/listen?device=app`)
    expect(started.status, JSON.stringify(started.body)).to.equal(200)
    const ear = await sit({ ...way, call_token: started.body.call_token as string })
    await ear.hears('call.offer')
    expect((await sue.api.delete(`${path}/supervision`)).status).to.equal(200)
    await ear.hears('call.ended')
    expect((await anna.api.post(`${path}/transfer`, { target_username: 'nobody' })).status).to.equal(400)
    const moved = await anna.api.post(`${path}/transfer`, { target_username: 'ben' })
    expect(moved.status, JSON.stringify(moved.body)).to.equal(200)
    const bens = await SilentClient.take((await ben.rung()) as Way)
    await bens.answer()
    expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'transferred' })
    expect((await there.post(`/calls/${way.call_id}/hangup`)).status).to.equal(200)
    await caller.over()
    await bench.end()
    expect((await there.post(`/calls/${way.call_id}/hangup`)).status).to.equal(400)
    const made = await there.post('/calls/make', { to: { number: '+12025550100' }, actions: [] })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    await bench.inbound.bench.ended(made.body.data.call_id as string)
  })

  it('states that agents choose, or get by their phones, are told once at both, and shown alike', async () => {
    const [atBens, atSues] = [ben.stream.events.length, sue.stream.events.length]
    // By turns at one server and the other.
    for (const [state, port] of [
      ['busy', here.port],
      ['available', there.port],
      ['busy', there.port],
      ['available', here.port],
    ] as const) {
      const before = [statesOf(anna, ben, atBens).length, statesOf(anna, sue, atSues).length]
      await anna.api.with({ port }).put('/me/state', { state })
      for (const [index, by] of [ben, sue].entries()) {
        await eventually(
          async () => statesOf(anna, by, index === 0 ? atBens : atSues).length,
          (count) => count > before[index]!,
          { what: state },
        )
      }
    }
    const chosen = ['busy', 'available', 'busy', 'available']
    await told(anna, ben, atBens, chosen)
    await told(anna, sue, atSues, chosen)
    const dora = await bench.phones.agent('dora')
    const phone = await bench.phones.phone(dora)
    const doras = { agent: dora } as SilentApp
    await told(doras, ben, atBens, ['available'])
    await phone.register(0)
    await told(doras, sue, atSues, ['available', 'offline'])
    await told(doras, ben, atBens, ['available', 'offline'])
    await sameEverywhere()
  })

  it('without Redis what needs the driver is refused, and goes on when it is back', async () => {
    const { caller, seat: clientLeg, way } = await begin()
    await redis.kill()
    expect(await clientLeg.closed()).to.equal(1013)
    const path = `/calls/${way.call_id}/hangup`
    const refused = await there.post(path)
    expect([refused.status, refused.body.statusCode]).to.deep.equal([503, 503])
    await redis.restart()
    const back = await eventually(
      async () => {
        const one = await sit(way, true)
        return (await one.comesIn()) ? one : null
      },
      (one) => one !== null,
      { what: 'the seat again', withinMs: 20_000, everyMs: 200 },
    )
    expect((await there.post(path)).status).to.equal(200)
    await caller.over()
    expect(await back!.hears('call.ended')).to.deep.equal({ reason: 'hangup' })
    await bench.end()
    await sameEverywhere()
  })

  it('a server that is killed leaves its calls to the other, and its agents are offline', async () => {
    const { caller, seat: clientLeg, way } = await begin()
    await bench.inbound.bench.appliance.killServer()
    // The other drives the calls now.
    expect(await clientLeg.closed()).to.be.oneOf([1001, 1013])
    const back = await eventually(
      async () => {
        const one = await sit(way, true)
        return (await one.comesIn()) ? one : null
      },
      (one) => one !== null,
      { what: 'the seat at the server that took over', withinMs: 30_000, everyMs: 200 },
    )
    await eventually(
      async () => statesOf(ben, sue, 0).at(-1),
      (state) => state === 'offline',
      { what: 'ben offline', withinMs: 40_000 },
    )
    await caller.hangUp()
    expect(await back!.hears('call.ended')).to.deep.equal({ reason: 'hangup' })
  })
})
