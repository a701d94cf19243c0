/** Supervisors who hear calls on their softphones, on a real FreeSWITCH: who hears whom in each mode. */
import { expect } from 'chai'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { onlyHears } from '../support/bridge-bench.js'
import { type SignedInWorker, TeamBench, rung } from '../support/team-bench.js'

const callerHz = 440

describe('supervision on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let anna: SignedInWorker
  let ben: SignedInWorker
  let sue: SignedInWorker
  let stranger: SignedInWorker

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start()
    anna = await bench.signedIn('anna', 600)
    ben = await bench.signedIn('ben', 900)
    sue = await bench.signedIn('sue', 1300, 'supervisor')
    stranger = await bench.signedIn('stranger', 1700, 'supervisor')
    await bench.phones.team('Sales', [anna.agent, ben.agent, sue.agent])
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => bench?.stop())
  beforeEach(async () => {
    for (const worker of [anna, ben, sue]) await bench.inState(worker, 'available')
  })

  const begin = async () => {
    const before = anna.phone.incoming.length
    const caller = await bench.call(callerHz)
    expect(await caller.answered()).to.equal(200)
    const annas = await rung(anna, before)
    await hears(annas, [callerHz], 'anna')
    const id = await bench.inbound.lastCallId()
    return { id, caller, annas, path: `/call-center/calls/${id}` }
  }
  const hears = async (dialog: PhoneDialog, hz: number[], who: string) =>
    onlyHears({ dialog, phone: dialog.phone }, hz, who)
  const start = async (path: string, mode: string) => {
    const before = sue.phone.incoming.length
    const { status, body } = await sue.api.post(`${path}/${mode}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    const dialog = await rung(sue, before)
    await dialog.up()
    return dialog
  }

  it('listens, whispers and barges; then stops, and the call goes on', async () => {
    const { id, caller, annas, path } = await begin()
    const { status, body } = await sue.api.post(`${path}/listen`)
    expect(status, JSON.stringify(body)).to.equal(200)
    const { call_token, ...rest } = body as Record<string, unknown>
    expect(call_token).to.be.a('string')
    expect(rest).to.deep.equal({
      ...{ call_id: id, mode: 'listen', supervisor: 'sue' },
      ...{ status: 'supervision_started', expires_in: 900 },
    })
    const sues = await rung(sue, 0)
    await hears(sues, [callerHz, anna.hz], 'sue')
    await hears(caller, [anna.hz], 'the caller')
    await hears(annas, [callerHz], 'anna')
    await bench.inState(sue, 'busy')
    expect((await sue.api.post(`${path}/whisper`)).body.mode).to.equal('whisper')
    await hears(annas, [callerHz, sue.hz], 'anna')
    await hears(caller, [anna.hz], 'the caller')
    await sue.api.post(`${path}/barge`)
    await hears(caller, [anna.hz, sue.hz], 'the caller')
    await hears(annas, [callerHz, sue.hz], 'anna')
    // Keys that a supervisor presses change nothing.
    sue.phone.press(sues, '1')
    await sue.api.post(`${path}/listen`)
    await hears(caller, [anna.hz], 'the caller')
    await hears(annas, [callerHz], 'anna')
    expect(sue.phone.incoming, 'the softphone rang once').to.have.length(1)
    const stopped = await sue.api.delete(`${path}/supervision`)
    expect(stopped.body).to.deep.equal({ call_id: id, supervisor: 'sue', status: 'supervision_stopped' })
    expect((await sue.api.delete(`${path}/supervision`)).body).to.deep.equal(stopped.body)
    expect(await sues.over()).to.equal('BYE')
    expect((await sue.api.delete(`${path}/supervision`)).status, 'once more').to.equal(200)
    const supervisions = (await bench.inbound.timeline(id)).filter(
      ({ event }) => event === 'call.supervision',
    )
    const ends = supervisions.filter(({ details }) => (details as { status: string }).status === 'stopped')
    expect(ends).to.have.length(1)
    await hears(caller, [anna.hz], 'the caller')
    await caller.hangUp()
    await annas.over()
    const { record } = await bench.end()
    expect(record.legs.map(({ role }) => role)).to.deep.equal(['caller', 'destination', 'supervisor'])
    const told = (await bench.inbound.timeline(id)).filter(({ event }) => event === 'call.supervision')
    expect(told.map(({ details }) => details)).to.deep.equal([
      ...['listen', 'whisper', 'barge', 'listen'].map((mode) => ({
        status: 'started',
        mode,
        supervisor: 'sue',
      })),
      { status: 'stopped', supervisor: 'sue' },
    ])
  })

  it('is in the audit log with who listened to which call, and not where it was refused', async () => {
    const { id, caller, annas, path } = await begin()
    expect((await stranger.api.post(`${path}/listen`)).status).to.equal(403)
    const sues = await start(path, 'listen')
    const answer = await bench.phones.api.get(`/audit-log?action=call.supervise&target_id=${id}`)
    const entries = answer.body.data as { actor: object; target: object; ip: string }[]
    expect(entries.map(({ actor, target }) => ({ actor, target }))).to.deep.equal([
      {
        actor: { kind: 'agent', id: sue.agent.id, name: 'Agent sue' },
        target: { type: 'call', id, name: null },
      },
    ])
    expect(entries[0]?.ip).to.match(/127\.0\.0\.1$/)
    await caller.hangUp()
    await Promise.all([annas.over(), sues.over()])
    await bench.end()
  })

  it('follows a call that is handed over, and ends with it', async () => {
    const { caller, annas, path } = await begin()
    const sues = await start(path, 'whisper')
    await hears(annas, [callerHz, sue.hz], 'anna')
    const before = ben.phone.incoming.length
    expect((await anna.api.post(`${path}/transfer`, { target_username: 'ben' })).status).to.equal(200)
    const bens = await rung(ben, before)
    await hears(bens, [callerHz, sue.hz], 'ben')
    await hears(caller, [ben.hz], 'the caller')
    await hears(sues, [callerHz, ben.hz], 'sue')
    await caller.hangUp()
    expect(await bens.over()).to.equal('BYE')
    expect(await sues.over()).to.equal('BYE')
    await bench.inState(sue, 'available')
  })

  it('leaves the call alone when the supervisor hangs up; it may begin again', async () => {
    const { caller, annas, path } = await begin()
    const first = await start(path, 'barge')
    await hears(caller, [anna.hz, sue.hz], 'the caller')
    await first.hangUp()
    await hears(caller, [anna.hz], 'the caller')
    await bench.inState(sue, 'available')
    const again = await start(path, 'barge')
    await hears(annas, [callerHz, sue.hz], 'anna')
    // The agent leaves: nothing is left to be heard.
    await annas.hangUp()
    expect(await again.over()).to.equal('BYE')
    await caller.over()
  })

  it('goes on over a restart of the server', async () => {
    const { caller, annas, path } = await begin()
    const sues = await start(path, 'whisper')
    await hears(annas, [callerHz, sue.hz], 'anna')
    await bench.inbound.bench.appliance.killServer()
    await bench.inbound.bench.appliance.startServer()
    expect((await sue.api.post(`${path}/barge`)).status).to.equal(200)
    await hears(annas, [callerHz, sue.hz], 'anna after the restart')
    await hears(caller, [anna.hz, sue.hz], 'the caller')
    expect(sues.state).to.equal('up')
    await caller.hangUp()
    expect(await sues.over()).to.equal('BYE')
  })

  it('hears calls between phones', async () => {
    const before = [ben.phone.incoming.length, sue.phone.incoming.length] as const
    const annas = anna.phone.call('ben')
    const bens = await rung(ben, before[0])
    expect(await annas.answered()).to.equal(200)
    const id = await bench.phones.lastCallIs('active')
    expect((await sue.api.post(`/call-center/calls/${id}/barge`)).status).to.equal(200)
    const sues = await rung(sue, before[1])
    await hears(sues, [anna.hz, ben.hz], 'sue')
    await hears(annas, [ben.hz, sue.hz], 'anna')
    await hears(bens, [anna.hz, sue.hz], 'ben')
    await annas.hangUp()
    expect(await sues.over()).to.equal('BYE')
  })

  it('is for supervisors of a team of the agent, of calls that somebody talks in', async () => {
    const { caller, annas, path } = await begin()
    for (const mode of ['listen', 'whisper', 'barge']) {
      expect((await stranger.api.post(`${path}/${mode}`)).status).to.equal(403)
      expect((await ben.api.post(`${path}/${mode}`)).status).to.equal(403)
    }
    expect((await stranger.api.delete(`${path}/supervision`)).status).to.equal(403)
    expect((await sue.api.delete(`${path}/supervision`)).status, 'none runs').to.equal(200)
    await caller.hangUp()
    await annas.over()
    await bench.end()
    expect((await sue.api.post(`${path}/listen`)).status).to.equal(404)
    expect((await sue.api.delete(`${path}/supervision`)).status).to.equal(404)
  })
})
