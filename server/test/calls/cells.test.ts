/** Two cells on one database and one Redis: each a server and a FreeSWITCH of its own. */
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import { type Freeswitch, findFreeswitch, startFreeswitch } from '../support/freeswitch.js'
import type { CallBench } from '../support/call-bench.js'
import { EventReader } from '../support/event-reader.js'
import { RedisServer } from '../support/redis.js'
import { SilentListener, SilentClient } from '../support/silent-app.js'
import { TeamBench } from '../support/team-bench.js'
import { query } from '../api/database.js'
import { clientToken } from '../api/fixtures.js'
import { ask, sipRequest } from '../edge/calls.js'

interface CellRow {
  name: string
  is_up: boolean
  switch_address: string
  live_calls: number
}

const somebody = '+12025550100'

describe('cells', function () {
  this.timeout(180_000)
  let redis: RedisServer
  let teams: TeamBench
  let bench: CallBench
  let otherSwitch: Freeswitch
  let a: ApiClient
  let b: ApiClient

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    redis = await RedisServer.start()
    const settings = { JACKFIELD_REDIS_URL: redis.url, JACKFIELD_CELL: 'a' }
    teams = await TeamBench.start({ settings })
    bench = teams.inbound.bench
    const { appliance } = bench
    otherSwitch = await startFreeswitch({ edgeHost: appliance.kamailio!.options.privateHost })
    a = bench.api
    b = a.with({ port: await appliance.startAnotherServer(cellB()) })
    await eventually(cells, (all) => all.filter(({ is_up }) => is_up).length === 2, {
      ...{ what: 'two cells', withinMs: 30_000 },
    })
  })
  after(async () => {
    await teams?.stop()
    await otherSwitch?.stop()
    await redis?.stop()
  })

  const cellB = () => ({
    JACKFIELD_CELL: 'b',
    JACKFIELD_SWITCH_PORT: String(otherSwitch.port),
    JACKFIELD_SWITCH_PASSWORD: otherSwitch.password,
    JACKFIELD_SWITCH_JOURNAL: otherSwitch.journal,
    JACKFIELD_SWITCH_SIP_ADDRESS: `127.0.0.1:${otherSwitch.sipPort}`,
    JACKFIELD_SWITCH_OWN_SIP_ADDRESS: '',
  })
  const cells = async () => (await bench.appliance.operator.get('/operator/cells')).body.data as CellRow[]
  const liveIn = async (cell: string) => (await cells()).find(({ name }) => name === cell)?.live_calls
  /** Makes a call by way of a server. */
  const make = async (by: ApiClient, ...actions: object[]): Promise<string> => {
    const { status, body } = await by.post('/calls/make', { to: { number: somebody }, actions })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data.call_id as string
  }
  const talking = { action: 'to_operator', params: { phone_number: somebody } }
  /** Whether a call that the second server makes is driven in a cell that had none. */
  const runsIn = async (cell: string) => {
    const before = await liveIn(cell)
    const id = await make(b, talking)
    await bench.reaches(id, 'active', 30_000)
    const after = await liveIn(cell)
    await a.post(`/calls/${id}/hangup`)
    await bench.ended(id)
    return before === 0 && after === 1
  }

  it('calls are driven where they were made, and every server answers for all of them', async () => {
    const [ofA, ofB] = [await make(a, talking), await make(b, talking)]
    await Promise.all([ofA, ofB].map(async (id) => bench.reaches(id, 'active', 30_000)))
    expect([await liveIn('a'), await liveIn('b')]).to.deep.equal([1, 1])
    expect((await a.post(`/calls/${ofB}/hangup`)).status).to.equal(200)
    expect((await b.post(`/calls/${ofA}/hangup`)).status).to.equal(200)
    for (const id of [ofA, ofB]) expect((await bench.ended(id)).status).to.equal('completed')
    for (const by of [a, b]) expect((await by.post(`/calls/${ofA}/hangup`)).status).to.equal(400)
  })

  it('one that drains goes on with its calls, and new ones go to the other', async () => {
    const { operator } = bench.appliance
    const kept = await make(b, talking)
    await bench.reaches(kept, 'active', 30_000)
    const { body } = await operator.put('/operator/cells/b/drain')
    expect(body).to.include({ name: 'b', is_up: true, is_draining: true, live_calls: 1 })
    await eventually(async () => runsIn('a'), Boolean, { what: 'a call that goes to the other cell' })
    expect((await a.get(`/calls/${kept}`)).body.ended_at).to.equal(null)
    await operator.put('/operator/cells/a/drain')
    expect((await a.post('/calls/make', { to: { number: somebody }, actions: [talking] })).status).to.equal(
      503,
    )
    const metrics = String((await operator.get('/metrics')).body)
    for (const [name, live] of Object.entries({ a: 0, b: 1 })) {
      expect(metrics).to.contain(`jackfield_cell_up{cell="${name}"} 1`)
      expect(metrics).to.contain(`jackfield_cell_draining{cell="${name}"} 1`)
      expect(metrics).to.contain(`jackfield_cell_live_calls{cell="${name}"} ${live}`)
    }
    for (const name of ['a', 'b']) await operator.delete(`/operator/cells/${name}/drain`)
    expect((await b.post(`/calls/${kept}/hangup`)).status).to.equal(200)
    await bench.ended(kept)
  })

  it('a client whose app is at one of them is called by the other', async () => {
    const app = await SilentListener.withToken(a, clientToken(bench.workspace, { sub: 'zoe' }))
    const { body } = await b.post('/calls/make', { to: { number: 'client:zoe' }, actions: [talking] })
    const ring = (await app.rung()) as { call_id: string; call_token: string; ws_url: string }
    expect(ring.call_id).to.equal(body.data.call_id)
    const about = await EventReader.open(app.api, { callId: ring.call_id })
    const clientLeg = await SilentClient.take(ring)
    await clientLeg.answer()
    await bench.reaches(ring.call_id, 'active', 30_000)
    expect(await liveIn('b')).to.equal(1)
    await a.post(`/calls/${ring.call_id}/hangup`)
    await clientLeg.hears('call.ended')
    await about.next('call.ended')
    for (const one of [about, app]) one.close()
  })

  it('an agent is rung by one of them at a time', async () => {
    const ann = await teams.worker('ann', 620)
    await teams.ready(ann)
    ann.phone.onCall = 'ring'
    const before = ann.phone.incoming.length
    const toAnn = { action: 'connect_agent', params: { agent_id: ann.agent.id, timeout: 10 } }
    const ids = await Promise.all([make(a, toAnn), make(b, toAnn), make(a, toAnn), make(b, toAnn)])
    const records = await Promise.all(ids.map(async (id) => bench.ended(id, 60_000)))
    const rung = records.filter(({ legs }) => legs.some(({ agent_id }) => agent_id === ann.agent.id))
    expect([rung.length, ann.phone.incoming.length - before]).to.deep.equal([1, 1])
    await teams.inState(ann, 'available')
  })

  it('one whose name another switch took lets go of its own, and takes it again when that one is silent', async () => {
    const cut = await make(b, talking)
    await bench.reaches(cut, 'active', 30_000)
    const other = '192.0.2.1:5080'
    await query(
      bench.appliance,
      `UPDATE cells SET server_id = 'another', switch_address = '${other}', beat_at = UTC_TIMESTAMP(3)
       WHERE name = 'b'`,
    )
    const isUp = async () => {
      const cell = (await cells()).find(({ name }) => name === 'b')
      return cell?.is_up === true && cell.switch_address !== other
    }
    await bench.ended(cut, 30_000)
    await eventually(isUp, Boolean, { what: 'its own switch again', withinMs: 30_000 })
    await eventually(async () => runsIn('b'), Boolean, { what: 'a call that its own switch takes' })
  })

  it('what one that drains refuses may be begun at the next: with no reason that says it was begun', async () => {
    const { operator, kamailio, freeswitch } = bench.appliance
    for (const name of ['a', 'b']) await operator.put(`/operator/cells/${name}/drain`)
    // From an edge that does not know it yet.
    const edge = kamailio!.options.privateHost
    const sdp =
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n'
    const extra = ['X-Edge-Source: trunk', 'Content-Type: application/sdp']
    const invite = sipRequest('INVITE', 'sip:1@127.0.0.1', edge, { extra }).replace(
      /Content-Length: 0\r\n\r\n$/,
      `Content-Length: ${sdp.length}\r\n\r\n${sdp}`,
    )
    const switchAt = { host: '127.0.0.1', port: freeswitch!.sipPort }
    const refusal = await ask(invite, switchAt, edge, 5_000)
    for (const name of ['a', 'b']) await operator.delete(`/operator/cells/${name}/drain`)
    expect(refusal).to.match(/^SIP\/2\.0 503 /)
    expect(refusal).not.to.match(/^Reason:/im)
  })

  it('one whose switch alone is dead ends its calls, and what it had not begun goes out elsewhere in time', async () => {
    const { appliance } = bench
    const desk = a.with({
      port: await appliance.startAnotherServer({ ...cellB(), JACKFIELD_SWITCH_DRIVE: 'false' }),
    })
    const cut = await make(b, talking)
    await bench.reaches(cut, 'active', 30_000)
    await otherSwitch.kill()
    // This one does not know it yet.
    const waiting = await make(desk, talking)
    await bench.reaches(waiting, 'active', 30_000)
    expect((await bench.ended(cut, 30_000)).hangup_cause).to.equal('CRASH')
    expect([await liveIn('a'), await liveIn('b')]).to.deep.equal([1, 0])
    expect((await b.post(`/calls/${waiting}/hangup`)).status).to.equal(200)
    await bench.ended(waiting)
    await appliance.killAnotherServer(desk.port)
    await otherSwitch.restart()
    await eventually(cells, (all) => all.every(({ is_up }) => is_up), {
      ...{ what: 'its switch again', withinMs: 30_000 },
    })
  })

  it('what a dead one drove is ended and charged until then, and what it had not begun goes out elsewhere', async () => {
    const { appliance } = bench
    const desk = a.with({
      port: await appliance.startAnotherServer({ ...cellB(), JACKFIELD_SWITCH_DRIVE: 'false' }),
    })
    const cut = await make(b, talking)
    const { answered_at } = await bench.reaches(cut, 'active', 30_000)
    // Long enough to have been seen alive in the talk.
    await eventually(
      async () => Promise.resolve(Date.now() - Date.parse(answered_at!)),
      (ms) => ms > 4_000,
    )
    const died = Date.now()
    await Promise.all([appliance.killAnotherServer(b.port), otherSwitch.kill()])
    const waiting = await make(desk, talking)
    const record = await bench.ended(cut, 40_000)
    expect(Date.now() - died, 'ended within seconds').to.be.below(30_000)
    expect(record).to.include({ status: 'completed', hangup_cause: 'CRASH' })
    expect(Date.parse(record.ended_at!), 'not charged for what came after').to.be.at.most(died + 500)
    const minutes = (leg: (typeof record.legs)[number]) =>
      Math.max(1, Math.ceil((Date.parse(leg.ended_at!) - Date.parse(leg.answered_at!)) / 1000)) / 60
    expect(record.cost).to.be.closeTo(
      record.legs.reduce((sum, leg) => sum + minutes(leg) * 0.6, 0),
      1e-6,
    )
    await bench.reaches(waiting, 'active', 40_000)
    expect(await liveIn('a')).to.equal(1)
    expect((await a.post(`/calls/${waiting}/hangup`)).status).to.equal(200)
    await bench.ended(waiting)
    expect(await liveIn('b')).to.equal(0)
    const credit = (await a.get('/credit')).body as { balance: number; held?: number }
    expect(credit.held ?? 0).to.equal(0)
  })
})
