/**
 * Agents whose app has made the call, on a real FreeSWITCH: they come back to it, hand it over, and are supervised; so
 * does the server that is killed meanwhile.
 */
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import { type AgentApp, AppBench, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import type { CallRecord } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { header } from '../support/sip-message.js'
import { hasHeard, music, onlyHears } from '../support/bridge-bench.js'
import { TeamBench, type Worker, rung } from '../support/team-bench.js'
import type { Telephone } from '../support/telephone.js'

const deskHz = 440

describe('apps that have called, on the freeswitch', function () {
  this.timeout(120_000)
  let bench: TeamBench
  let apps: AppBench
  let anna: AgentApp
  let ben: Worker
  let desk: Telephone
  let api: ApiClient

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000' } })
    apps = await AppBench.on(bench)
    anna = await apps.agent('anna', 900)
    api = bench.phones.api.with({ authorization: `Bearer ${anna.accessToken}` })
    ben = await bench.worker('ben', 600)
    desk = await bench.phones.phone(await bench.phones.account('desk'), { toneHz: deskHz })
  })
  after(async () => apps?.stop())
  beforeEach(async () => {
    ben.phone.onCall = 'answer'
    await stateOfAnna('available')
    await bench.inState(ben, 'available')
  })

  const calls = () => bench.inbound.bench
  const hears = async (dialog: PhoneDialog, hz: number[], who: string) =>
    onlyHears({ dialog, phone: dialog.phone }, hz, who)
  const hearsMusic = async (dialog: PhoneDialog) =>
    hasHeard({ dialog, phone: dialog.phone }, music, 'who waits hears music')

  async function stateOfAnna(wanted: string): Promise<void> {
    await eventually(
      async () => (await bench.phones.api.get(`/agents/${anna.agent.id}`)).body.state as string,
      (state) => state === wanted,
      { what: `anna ${wanted}` },
    )
  }

  interface Begun {
    way: Way
    path: string
    /** The desk's. */
    answer: PhoneDialog
  }

  async function begin(): Promise<Begun> {
    const had = desk.incoming.length
    const { status, body } = await api.post('/call-center/calls/make', { to: 'desk', type: 'audio' })
    expect(status, JSON.stringify(body)).to.equal(201)
    const way = body as Way
    await anna.enter(way)
    const call_token = await anna.answer()
    const answer = await desk.called(had)
    await together(answer)
    return { way: { ...way, call_token }, path: `/call-center/calls/${way.call_id}/transfer`, answer }
  }

  async function together(answer: PhoneDialog): Promise<void> {
    await Promise.all([hears(answer, [anna.hz], 'the desk'), anna.page.hears([deskHz])])
  }

  async function comeBack(way: Way): Promise<Way> {
    await anna.page.load()
    await anna.listen()
    await anna.enter(way)
    return { ...way, call_token: await anna.answer() }
  }

  /** The call once it and all its legs have ended. */
  async function whole(id: string): Promise<CallRecord> {
    await calls().ended(id, 20_000)
    return eventually(
      async () => calls().record(id),
      ({ legs }) => legs.every(({ ended_at }) => ended_at !== null),
      { what: 'end of all legs' },
    )
  }

  const told = async (id: string) =>
    (await bench.inbound.timeline(id))
      .filter(({ event }) => event === 'call.transfer')
      .map(({ details }) => details ?? {})

  const handOver = async (path: string, input: object) => {
    const { status, body } = await api.post(path, input)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }

  it('come back with new media after a reload, also while they hold; the next server goes on with it', async () => {
    const { way: first, answer } = await begin()
    await anna.say('call.hold')
    await anna.told('call.held')
    await hearsMusic(answer)
    const held = await comeBack(first)
    await anna.told('call.held')
    await hearsMusic(answer)
    await anna.say('call.unhold')
    await anna.told('call.unheld')
    await together(answer)
    await anna.say('call.mute')
    await anna.told('call.muted')
    await hears(answer, [], 'the desk')
    const muted = await comeBack(held)
    await together(answer)
    await calls().appliance.killServer()
    await together(answer)
    await calls().appliance.startServer()
    await anna.closed()
    await anna.listen()
    await anna.enter(muted, true)
    await anna.told('call.token')
    await together(answer)
    await stateOfAnna('incall')
    await comeBack(muted)
    await together(answer)
    await answer.hangUp()
    await anna.told('call.ended')
    const record = await whole(first.call_id)
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(record.legs.map(({ role }) => role)).to.deep.equal([
      'caller',
      'destination',
      'caller',
      'caller',
      'caller',
    ])
    expect(
      await calls()
        .api.get('/calls?limit=100')
        .then(({ body }) => body.data.length),
    ).to.equal(1)
  })

  it('hand it over blind, to an agent who is shown whom they have called', async () => {
    const { way, path, answer } = await begin()
    ben.phone.onCall = 'ring'
    const had = ben.phone.incoming.length
    const body = await handOver(path, { target_username: 'ben', reason: 'knows the desk' })
    expect(body).to.include({ from_agent_id: anna.agent.id, transferred_by: 'anna' })
    const bens = await rung(ben, had)
    expect(header({ text: bens.received[0]! }, 'From')).to.match(/sip:desk@/)
    await hearsMusic(answer)
    ben.phone.accept(bens)
    expect(await anna.told('call.ended')).to.eql({ reason: 'transferred' })
    await Promise.all([hears(answer, [ben.hz], 'the desk'), hears(bens, [deskHz], 'ben')])
    await stateOfAnna('available')
    await bench.inState(ben, 'incall')
    await bens.hangUp()
    expect(await answer.over()).to.equal('BYE')
    const record = await whole(way.call_id)
    expect(record).to.include({
      status: 'completed',
      hangup_cause: 'NORMAL_CLEARING',
      agent_id: anna.agent.id,
    })
    expect(record.legs.map(({ role, hangup_cause }) => [role, hangup_cause])).to.deep.equal([
      ['caller', 'BLIND_TRANSFER'],
      ['destination', 'NORMAL_CLEARING'],
      ['destination', 'NORMAL_CLEARING'],
    ])
    expect((await told(way.call_id)).map(({ status, reason }) => [status, reason])).to.deep.equal([
      ['initiated', 'knows the desk'],
      ['completed', 'knows the desk'],
    ])
  })

  it('hand it over by their socket, to a SIP phone; the call ends when the called one leaves', async () => {
    const reception = await bench.phones.account('reception')
    const phone = await bench.phones.phone(reception, { toneHz: 1700 })
    await bench.phones.extension('305', reception)
    const { way, answer } = await begin()
    await anna.say('call.transfer', { target: 'nobody' })
    expect(await anna.told('error')).to.include({ code: 'bad_target' })
    await anna.say('call.transfer', { target: '305' })
    const taken = await phone.called(0)
    expect(await anna.told('call.ended')).to.eql({ reason: 'transferred' })
    await Promise.all([hears(answer, [1700], 'the desk'), hears(taken, [deskHz], 'the reception')])
    await answer.hangUp()
    expect(await taken.over()).to.equal('BYE')
    expect((await whole(way.call_id)).status).to.equal('completed')
  })

  it('have it back when that fails, and are rung when they have left', async () => {
    const { way, path, answer } = await begin()
    ben.phone.onCall = 486
    await handOver(path, { target: 'ben' })
    await eventually(
      async () => (await told(way.call_id)).at(-1)?.['status'],
      (status) => status === 'busy',
      { what: 'transfer that is busy' },
    )
    await together(answer)
    ben.phone.onCall = 'ring'
    const had = [ben.phone.incoming.length, await anna.incomingCalls()] as const
    await handOver(path, { target: 'ben' })
    const bens = await rung(ben, had[0])
    await anna.say('call.hangup')
    await anna.told('call.ended')
    await stateOfAnna('available')
    ben.phone.refuse(bens, 486)
    await anna.pickUp(had[1])
    await together(answer)
    await anna.say('call.hangup')
    expect(await answer.over()).to.equal('BYE')
    expect((await whole(way.call_id)).status).to.equal('completed')
  })

  it('hand it over after consultation, over a restart of the server and a reload', async () => {
    const { way, path, answer } = await begin()
    const had = ben.phone.incoming.length
    await handOver(path, { target: 'ben', consult: true })
    const bens = await rung(ben, had)
    await hears(bens, [anna.hz], 'ben')
    await anna.page.hears([ben.hz])
    await hearsMusic(answer)
    await calls().appliance.killServer()
    await calls().appliance.startServer()
    await anna.closed()
    await eventually(
      async () => (await api.get(`/call-center/calls/${way.call_id}`)).status,
      (status) => status === 200,
      { what: 'server that is back' },
    )
    await comeBack(way)
    await hears(bens, [anna.hz], 'ben')
    await hearsMusic(answer)
    await handOver(`${path}/complete`, {})
    expect(await anna.told('call.ended')).to.eql({ reason: 'transferred' })
    await Promise.all([hears(answer, [ben.hz], 'the desk'), hears(bens, [deskHz], 'ben')])
    await calls().appliance.killServer()
    await calls().appliance.startServer()
    await bench.inState(ben, 'incall')
    await Promise.all([hears(answer, [ben.hz], 'the desk'), hears(bens, [deskHz], 'ben')])
    await bens.hangUp()
    expect(await answer.over()).to.equal('BYE')
    const record = await whole(way.call_id)
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    const lasted = Date.parse(record.ended_at!) - Date.parse(record.answered_at!)
    expect(record.duration).to.equal(Math.round(lasted / 1000))
  })

  it('are heard by a supervisor, also after a reload', async () => {
    const sue = await bench.signedIn('sue', 1300, 'supervisor')
    await bench.phones.team('Sales', [anna.agent, sue.agent])
    const { way, answer } = await begin()
    const had = sue.phone.incoming.length
    const path = `/call-center/calls/${way.call_id}/listen?device=softphone`
    const { status, body } = await sue.api.post(path)
    expect(status, JSON.stringify(body)).to.equal(200)
    const listening = await rung(sue, had)
    await hears(listening, [deskHz, anna.hz], 'sue')
    await comeBack(way)
    await together(answer)
    await hears(listening, [deskHz, anna.hz], 'sue after the reload')
    await answer.hangUp()
    await listening.over()
    await whole(way.call_id)
  })
})
