/** Agents who hand calls over with the API, on a real FreeSWITCH. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { hasHeard, music, onlyHears } from '../support/bridge-bench.js'
import { type SignedInWorker, TeamBench, rung } from '../support/team-bench.js'

const callerHz = 440

describe('calls that agents hand over, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let anna: SignedInWorker
  let ben: SignedInWorker
  let cleo: SignedInWorker
  let team: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start()
    anna = await bench.signedIn('anna', 600)
    ben = await bench.signedIn('ben', 900)
    cleo = await bench.signedIn('cleo', 1300)
    team = await bench.phones.team('Sales', [ben.agent, cleo.agent])
    await bench.phones.extension('302', team)
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => bench?.stop())
  beforeEach(async () => bench.ready(anna, ben, cleo))

  interface Begun {
    id: string
    caller: PhoneDialog
    annas: PhoneDialog
    path: string
  }
  const begin = async (): Promise<Begun> => {
    const before = anna.phone.incoming.length
    const caller = await bench.call(callerHz)
    expect(await caller.answered()).to.equal(200)
    const annas = await rung(anna, before)
    await hears(annas, callerHz, 'anna')
    const id = await bench.inbound.lastCallId()
    await bench.inState(anna, 'incall')
    return { id, caller, annas, path: `/call-center/calls/${id}/transfer` }
  }
  const hears = async (dialog: PhoneDialog, hz: number, who: string) =>
    onlyHears({ dialog, phone: dialog.phone }, [hz], who)
  const hearsMusic = async (dialog: PhoneDialog) =>
    hasHeard({ dialog, phone: dialog.phone }, music, 'the caller hears music')
  const joined = async (caller: PhoneDialog, other: PhoneDialog, hz: number) => {
    await hears(caller, hz, 'the caller')
    await hears(other, callerHz, 'the other one')
  }
  const told = async (id: string) =>
    (await bench.inbound.timeline(id))
      .filter(({ event }) => event === 'call.transfer')
      .map(({ details }) => details ?? {})

  it('hands a call over to an agent: the caller hears music, then the target, and the agent is free', async () => {
    const { id, caller, annas, path } = await begin()
    ben.phone.onCall = 'ring'
    const before = ben.phone.incoming.length
    const { status, body } = await anna.api.post(path, { target_username: 'ben', team_id: team })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body).to.deep.equal({
      ...{ call_id: id, status: 'transfer_initiated', from_agent_id: anna.agent.id },
      to_agent: { id: ben.agent.id, username: 'ben' },
      to: { kind: 'agent', id: ben.agent.id, name: 'Agent ben' },
      transferred_by: 'anna',
    })
    const bens = await rung(ben, before)
    await hearsMusic(caller)
    const again = await anna.api.post(path, { target_username: 'cleo' })
    expect(again.body.message).to.equal('The call is being handed over already')
    ben.phone.accept(bens)
    await joined(caller, bens, ben.hz)
    expect(await annas.over()).to.equal('BYE')
    await bench.inState(anna, 'available')
    await bench.inState(ben, 'incall')
    await bench.inbound.toldOfTransfer(id, 'completed')
    expect((await told(id))[0]).to.deep.equal({
      ...{ status: 'initiated', mode: 'blind', transferred_by: 'anna' },
      to: { kind: 'agent', id: ben.agent.id },
    })
    await bens.hangUp()
    await caller.over()
    const { record, outcome } = await bench.end()
    expect(outcome).to.equal('to:completed')
    expect(record.legs.map(({ hangup_cause }) => hangup_cause)).to.include('BLIND_TRANSFER')
  })

  it('reaches teams by extension and id, and SIP accounts', async () => {
    const desk = await bench.phones.account('desk')
    const phone = await bench.phones.phone(desk, { toneHz: 1700 })
    for (const [target, to] of [
      ['302', cleo.phone],
      [team, cleo.phone],
      [desk.id, phone],
    ] as const) {
      ben.phone.onCall = 486
      const { id, caller, annas, path } = await begin()
      const before = to.incoming.length
      const { status, body } = await anna.api.post(path, { target, reason: 'wants a discount' })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.to_agent).to.equal(null)
      const theirs = await to.called(before)
      await joined(caller, theirs, to === phone ? 1700 : cleo.hz)
      await annas.over()
      await bench.inbound.toldOfTransfer(id, 'completed')
      expect((await told(id))[0]).to.include({ reason: 'wants a discount' })
      await caller.hangUp()
      await theirs.over()
      for (const worker of [anna, ben, cleo]) await bench.inState(worker, 'available')
    }
  })

  it('into the queue of a team with no free member: the agent is released, and the caller waits for one', async () => {
    const busy = ben.phone.call('cleo')
    expect(await busy.answered()).to.equal(200)
    await bench.inState(cleo, 'incall')
    const { id, caller, annas, path } = await begin()
    const consulting = await anna.api.post(path, { target: '302', consult: true })
    expect(consulting.status).to.equal(400)
    expect(consulting.body.message).to.include('no available member')
    await joined(caller, annas, anna.hz)
    expect((await anna.api.post(path, { target: '302' })).body.to).to.include({ kind: 'team', id: team })
    expect(await annas.over()).to.equal('BYE')
    await bench.inState(anna, 'available')
    await hearsMusic(caller)
    const { data } = (await anna.api.get('/call-center/destinations?search=302')).body
    expect(data[0]).to.include({ kind: 'team', id: team, free_agents: 0, waiting_callers: 1 })
    // Its place in the queue, and the transfer, survive the server.
    await bench.inbound.bench.appliance.killServer()
    await bench.inbound.bench.appliance.startServer()
    await hearsMusic(caller)
    cleo.phone.onCall = 486
    const before = ben.phone.incoming.length
    await busy.hangUp()
    const bens = await rung(ben, before)
    await joined(caller, bens, ben.hz)
    await bench.inbound.toldOfTransfer(id, 'completed')
    await caller.hangUp()
    await bens.over()
    expect((await bench.end()).record).to.include({ outcome: 'answered' })
  })

  it('that fail bring the caller back to the agent, who is rung again after a hang-up', async () => {
    const { id, caller, annas, path } = await begin()
    ben.phone.onCall = 486
    await anna.api.post(path, { target_username: 'ben' })
    await bench.inbound.toldOfTransfer(id, 'busy')
    await joined(caller, annas, anna.hz)
    ben.phone.onCall = 'ring'
    const before = [anna.phone.incoming.length, ben.phone.incoming.length] as const
    await anna.api.post(path, { target_username: 'ben' })
    const bens = await rung(ben, before[1])
    await annas.hangUp()
    await bench.inState(anna, 'available')
    ben.phone.refuse(bens, 486)
    const again = await rung(anna, before[0])
    await joined(caller, again, anna.hz)
    await caller.hangUp()
    await again.over()
  })

  it('is ended only by who is involved, and begun only by them where the workspace wants that', async () => {
    const stranger = await bench.signedIn('dora', 1700)
    const lead = await bench.signedIn('lea', 1900, 'supervisor')
    await bench.phones.team('Leads', [anna.agent, lead.agent])
    const { id, caller, annas, path } = await begin()
    const setting = async (transfers_by: string) => {
      expect((await bench.phones.api.patch('/profile', { transfers_by })).body).to.include({ transfers_by })
    }
    const transferring = async (by: SignedInWorker) => {
      await bench.inState(ben, 'available')
      const { status, body } = await by.api.post(path, { target_username: 'ben' })
      expect(status, JSON.stringify(body)).to.equal(200)
      await hearsMusic(caller)
    }
    ben.phone.onCall = 'ring'
    await transferring(anna)
    expect((await stranger.api.delete(path)).status, 'a stranger cancels').to.equal(403)
    expect((await stranger.api.post(`${path}/complete`)).status, 'a stranger completes').to.equal(403)
    expect((await ben.api.delete(path)).status, 'the target who is rung').to.equal(403)
    expect((await lead.api.delete(path)).status, 'a supervisor').to.equal(200)
    await joined(caller, annas, anna.hz)
    await transferring(stranger)
    expect((await stranger.api.delete(path)).status, 'who began it').to.equal(200)
    await joined(caller, annas, anna.hz)
    await setting('involved')
    expect((await stranger.api.post(path, { target_username: 'ben' })).status).to.equal(403)
    await transferring(anna)
    expect((await anna.api.delete(path)).status).to.equal(200)
    ben.phone.onCall = 'answer'
    await setting('any_agent')
    const states = await eventually(
      async () => (await told(id)).map(({ status }) => status),
      (all) => all.length >= 6,
      { what: 'three transfers on the timeline' },
    )
    expect(states).to.deep.equal([1, 2, 3].flatMap(() => ['initiated', 'canceled']))
    await caller.hangUp()
    await annas.over()
    await bench.end()
  })

  it('after consultation, also over a restart of the server', async () => {
    const { id, caller, annas, path } = await begin()
    const start = async () => {
      const before = ben.phone.incoming.length
      const { status, body } = await anna.api.post(path, { target_username: 'ben', consult: true })
      expect(status, JSON.stringify(body)).to.equal(200)
      const bens = await rung(ben, before)
      await hears(bens, anna.hz, 'ben')
      await hears(annas, ben.hz, 'anna')
      return bens
    }
    const first = await start()
    await hearsMusic(caller)
    expect((await anna.api.delete(path)).body).to.deep.equal({ call_id: id, status: 'transfer_canceled' })
    await first.over()
    await joined(caller, annas, anna.hz)
    expect((await anna.api.delete(path)).status).to.equal(400)
    await bench.inState(ben, 'available')
    const bens = await start()
    await bench.inbound.bench.appliance.killServer()
    await bench.inbound.bench.appliance.startServer()
    const done = await anna.api.post(`${path}/complete`)
    expect(done.body).to.deep.equal({ call_id: id, status: 'transfer_completing' })
    await joined(caller, bens, ben.hz)
    expect(await annas.over()).to.equal('BYE')
    await bens.hangUp()
    await caller.over()
    expect((await bench.end()).outcome).to.equal('to:completed')
  })

  describe('with all three talking', () => {
    interface Three extends Begun {
      bens: PhoneDialog
      /** How long the caller waited at most. */
      waited: number
    }
    const together = async ({ caller, annas, bens }: Omit<Three, 'id' | 'path' | 'waited'>) => {
      await heardBoth(caller, [anna.hz, ben.hz], 'the caller')
      await heardBoth(annas, [callerHz, ben.hz], 'anna')
      await heardBoth(bens, [callerHz, anna.hz], 'ben')
    }
    const heardBoth = async (dialog: PhoneDialog, tones: [number, number], who: string) =>
      onlyHears({ dialog, phone: dialog.phone }, tones, who)
    const three = async (): Promise<Three> => {
      await bench.inState(ben, 'available')
      const begun = await begin()
      const { path, annas, caller } = begun
      const before = ben.phone.incoming.length
      const begunAt = Date.now()
      const started = await anna.api.post(path, { target_username: 'ben', consult: true })
      expect(started.status, JSON.stringify(started.body)).to.equal(200)
      const bens = await rung(ben, before)
      await hears(annas, ben.hz, 'anna')
      await hearsMusic(caller)
      const asked = await anna.api.post(`${path}/three-way`)
      expect(asked.status, JSON.stringify(asked.body)).to.equal(200)
      expect(asked.body).to.deep.equal({ call_id: begun.id, status: 'transfer_three_way' })
      const waited = (Date.now() - begunAt) / 1000
      await together({ ...begun, bens })
      return { ...begun, bens, waited }
    }

    it('the target stays with the caller when the agent leaves, also over a restart of the server', async () => {
      const talk = await three()
      const { id, caller, annas, bens } = talk
      expect((await told(id)).map(({ status }) => status)).to.deep.equal(['initiated', 'three_way'])
      await bench.inbound.bench.appliance.killServer()
      await bench.inbound.bench.appliance.startServer()
      await bench.inState(ben, 'incall')
      await together(talk)
      await annas.hangUp()
      await joined(caller, bens, ben.hz)
      await bench.inbound.toldOfTransfer(id, 'completed')
      await bens.hangUp()
      await caller.over()
      const { outcome, record } = await bench.end()
      expect(outcome).to.equal('to:completed')
      expect(record.hold_seconds, 'only until they are three').to.be.within(1, Math.ceil(talk.waited))
    })

    it('all three talk again after the agent has held the call', async () => {
      const talk = await three()
      anna.phone.renew(talk.annas, 'sendonly')
      await hearsMusic(talk.caller)
      anna.phone.renew(talk.annas, 'sendrecv')
      await together(talk)
      await talk.caller.hangUp()
      await Promise.all([talk.annas.over(), talk.bens.over()])
      await bench.end()
    })

    it('joins caller and target at once', async () => {
      const { caller, annas, bens, path } = await three()
      expect((await anna.api.post(`${path}/complete`)).status).to.equal(200)
      expect(await annas.over()).to.equal('BYE')
      await joined(caller, bens, ben.hz)
      await caller.hangUp()
      await bens.over()
      await bench.end()
    })

    it('keeps caller and agent when the target leaves or is dropped, and ends when the caller hangs up', async () => {
      const first = await three()
      await first.bens.hangUp()
      await joined(first.caller, first.annas, anna.hz)
      await bench.inbound.toldOfTransfer(first.id, 'left')
      await first.caller.hangUp()
      await first.annas.over()
      await bench.end()
      const second = await three()
      expect((await anna.api.delete(second.path)).status).to.equal(200)
      await second.bens.over()
      await joined(second.caller, second.annas, anna.hz)
      await second.caller.hangUp()
      await second.annas.over()
      await bench.end()
      const third = await three()
      await third.caller.hangUp()
      await Promise.all([third.annas.over(), third.bens.over()])
      await bench.end()
    })

    it('is refused before the target has answered', async () => {
      const { caller, annas, path } = await begin()
      expect((await anna.api.post(`${path}/three-way`)).body.message).to.equal(
        'The call is not being handed over',
      )
      ben.phone.onCall = 'ring'
      const before = ben.phone.incoming.length
      await anna.api.post(path, { target_username: 'ben', consult: true })
      await rung(ben, before)
      const asked = await anna.api.post(`${path}/three-way`)
      expect(asked.status).to.equal(400)
      expect(asked.body.message).to.equal('The agent does not speak with the target of the transfer')
      await anna.api.delete(path)
      ben.phone.onCall = 'answer'
      await joined(caller, annas, anna.hz)
      await caller.hangUp()
      await annas.over()
      await bench.end()
    })
  })

  it('of an agent whom the API has called: the program goes on with the target', async () => {
    await bench.phones.extension('301', anna.agent)
    const desk = await bench.phones.phone(await bench.phones.account('front'), { toneHz: callerHz })
    const toDesk = { action: 'to_operator', params: { phone_number: 'front' } }
    const before = ben.phone.incoming.length
    const id = await bench.inbound.bench.call('301', [toDesk, toDesk])
    const first = await desk.called(0)
    const annas = anna.phone.incoming.at(-1)!
    await joined(first, annas, anna.hz)
    const { status, body } = await anna.api.post(`/call-center/calls/${id}/transfer`, { target: 'ben' })
    expect(status, JSON.stringify(body)).to.equal(200)
    const bens = await rung(ben, before)
    await joined(first, bens, ben.hz)
    expect(await annas.over()).to.equal('BYE')
    await first.hangUp()
    const second = await desk.called(1)
    await joined(second, bens, ben.hz)
    await bench.inbound.bench.appliance.killServer()
    await bench.inbound.bench.appliance.startServer()
    await bench.inState(ben, 'incall')
    await joined(second, bens, ben.hz)
    await second.hangUp()
    expect(await bens.over(), 'the program is through').to.equal('BYE')
    const record = await bench.inbound.bench.ended(id)
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(record.legs.map(({ role }) => role)).to.deep.equal([
      'called',
      'destination',
      'destination',
      'destination',
    ])
  })

  it('are refused for who cannot take them, and calls that nobody talks in', async () => {
    const { caller, annas, path } = await begin()
    const refused = async (input: object) => {
      const { status, body } = await anna.api.post(path, input)
      expect(status, JSON.stringify(body)).to.equal(400)
      return body.message as string
    }
    expect(await refused({})).to.equal('target_username or target is required')
    expect(await refused({ target: 'ben', target_username: 'ben' })).to.include('exclude each other')
    expect(await refused({ target_username: 'nobody' })).to.include(
      'target_username is not a possible target',
    )
    expect(await refused({ target: 'te_nobody' })).to.include('target is not a possible target')
    expect(await refused({ target: 'si_nobody' })).to.include('target is not a possible target')
    expect(await refused({ target_username: 'anna' })).to.include('anna is incall')
    expect(await refused({ target_username: 'anna', team_id: team })).to.include('no agent of the team')
    await cleo.api.put('/me/state', { state: 'busy' })
    expect(await refused({ target_username: 'cleo' })).to.include('cleo is busy')
    await cleo.api.put('/me/state', { state: 'available' })
    const consulting = await ben.api.post(path, { target_username: 'cleo', consult: true })
    expect(consulting.status).to.equal(400)
    await joined(caller, annas, anna.hz)
    await caller.hangUp()
    await annas.over()
    await bench.end()
    expect((await anna.api.post(path, { target_username: 'ben' })).status).to.equal(404)
  })
})
