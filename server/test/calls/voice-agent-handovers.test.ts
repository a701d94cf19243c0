/** Calls in which people and voice agents take each other's place, and their supervisors, on a real FreeSWITCH. */
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { onlyHears } from '../support/bridge-bench.js'
import { type SignedInWorker, TeamBench, rung } from '../support/team-bench.js'
import { toneLevel } from '../support/tone.js'
import { VoiceAgentBench, callerHz } from '../support/voice-agent-bench.js'

const voiceAgentHz = 1700
/** The first of both tones of a ringback. */
const ringbackHz = 440

describe('voice agents and people in one call, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: VoiceAgentBench
  let team: TeamBench
  let anna: SignedInWorker
  let ben: SignedInWorker
  let sue: SignedInWorker

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await VoiceAgentBench.start({ settings: { JACKFIELD_VOICE_AGENTS_SILENCE_SECONDS: '600' } })
    team = TeamBench.on(bench.inbound)
    anna = await team.signedIn('anna', 600)
    ben = await team.signedIn('ben', 900)
    sue = await team.signedIn('sue', 1300, 'supervisor')
    await team.phones.team('Sales', [anna.agent, ben.agent, sue.agent])
    await team.phones.extension('700', bench.voiceAgentId)
  })
  after(async () => {
    await team?.phones.closePhones()
    await bench?.stop()
  })
  beforeEach(async () => {
    Object.assign(bench.provider, { hz: voiceAgentHz, answerMs: 20_000 })
    anna.phone.ear.speak()
    await team.ready(anna, ben, sue)
  })
  afterEach(() => expect(bench.provider.violations).to.deep.equal([]))

  const hears = async (dialog: PhoneDialog, hz: number[], who: string) =>
    onlyHears({ dialog, phone: dialog.phone }, hz, who)
  const modelHears = async (hz: number, not: readonly number[]) =>
    eventually(
      async () => {
        const last = bench.provider.session.heard.subarray(-24_000)
        return [hz, ...not].map((one) => toneLevel(last, one, 24_000))
      },
      ([level = 0, ...others]) => level > 0.9 && others.every((other) => other < 0.02),
      { what: `${hz} Hz without ${not.join(', ')} at the model` },
    )
  /** Anna's call with the voice agent: she hears it, and says nothing. */
  const annaCalls = async () => {
    anna.phone.ear.hush()
    const annas = anna.phone.call('700')
    expect(await annas.answered()).to.equal(200)
    await hears(annas, [voiceAgentHz], 'anna')
    return { annas, id: await team.phones.lastCallIs('active') }
  }
  const transfer = async (by: SignedInWorker, id: string, input: object) => {
    const { status, body } = await by.api.post(`/call-center/calls/${id}/transfer`, input)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }

  it('supervisors hear no call that only a voice agent talks in, and are told so', async () => {
    const call = await bench.call()
    await hears(call.dialog, [voiceAgentHz], 'the caller')
    for (const mode of ['listen', 'whisper', 'barge']) {
      const { status, body } = await sue.api.post(`/call-center/calls/${call.id}/${mode}`)
      expect([status, body.message]).to.deep.equal([404, `No agent talks in the call ${call.id}`])
    }
    expect((await sue.api.delete(`/call-center/calls/${call.id}/supervision`)).status).to.equal(404)
    await hears(call.dialog, [voiceAgentHz], 'the caller')
    await call.dialog.hangUp()
    expect((await call.session()).end_reason).to.equal('caller_left')
  })

  it('agents are supervised who talk with one: the model hears no whispers', async () => {
    const { annas, id } = await annaCalls()
    const had = sue.phone.incoming.length
    expect((await sue.api.post(`/call-center/calls/${id}/whisper`)).status).to.equal(200)
    const sues = await rung(sue, had)
    await hears(sues, [voiceAgentHz], 'sue')
    await hears(
      annas,
      [sue.hz, voiceAgentHz].sort((one, other) => one - other),
      'anna',
    )
    anna.phone.ear.speak()
    await modelHears(anna.hz, [sue.hz])
    await hears(sues, [anna.hz], 'sue')
    anna.phone.ear.hush()
    expect((await sue.api.post(`/call-center/calls/${id}/barge`)).status).to.equal(200)
    await modelHears(sue.hz, [anna.hz])
    await annas.hangUp()
    expect(await sues.over()).to.equal('BYE')
  })

  it('an agent takes a caller out of the talk with one; who is busy leaves them there', async () => {
    const call = await bench.call()
    await hears(call.dialog, [voiceAgentHz], 'the caller')
    ben.phone.onCall = 486
    await transfer(anna, call.id, { target_username: 'ben' })
    await bench.inbound.toldOfTransfer(call.id, 'busy')
    // Whatever was left of what it said before, it answers what it hears now.
    await call.speak()
    await hears(call.dialog, [voiceAgentHz], 'the caller, who is back')
    ben.phone.onCall = 'ring'
    const had = ben.phone.incoming.length
    const body = await transfer(anna, call.id, { target_username: 'ben' })
    expect(body).to.deep.include({ from_agent_id: null, transferred_by: 'anna' })
    const bens = await rung(ben, had)
    await call.hears(ringbackHz, 'ringing')
    ben.phone.accept(bens)
    call.dialog.phone.ear.speak()
    await hears(call.dialog, [ben.hz], 'the caller')
    await hears(bens, [callerHz], 'ben')
    expect((await call.session()).end_reason).to.equal('transferred')
    await bench.inbound.toldOfTransfer(call.id, 'completed')
    const incomingCalls = sue.phone.incoming.length
    expect((await sue.api.post(`/call-center/calls/${call.id}/listen`)).status).to.equal(200)
    const sues = await rung(sue, incomingCalls)
    await hears(sues, [callerHz, ben.hz], 'sue')
    // And back: the agent hands the caller over to the voice agent.
    call.dialog.phone.ear.hush()
    const sessions = bench.provider.sessions.length
    await transfer(ben, call.id, { target: '700' })
    expect(await bens.over()).to.equal('BYE')
    await hears(call.dialog, [voiceAgentHz], 'the caller')
    expect(bench.provider.sessions).to.have.length(sessions + 1)
    // The supervisor goes on with the caller, whoever talks with them now.
    await hears(sues, [voiceAgentHz], 'sue')
    const supervision = `/call-center/calls/${call.id}`
    expect((await sue.api.post(`${supervision}/whisper`)).status).to.equal(200)
    await modelHears(sue.hz, [callerHz])
    await hears(call.dialog, [], 'the caller')
    expect((await sue.api.delete(`${supervision}/supervision`)).status).to.equal(200)
    expect(await sues.over()).to.equal('BYE')
    call.dialog.phone.ear.speak()
    await modelHears(callerHz, [ben.hz, sue.hz])
    await call.dialog.hangUp()
    await bench.inbound.bench.ended(call.id)
    expect((await call.session()).end_reason).to.equal('caller_left')
    expect((await bench.sessions(call.id)).map(({ end_reason }) => end_reason)).to.deep.equal([
      'transferred',
      'caller_left',
    ])
  })

  it('an agent who talks with one hands it over to another agent', async () => {
    const { annas, id } = await annaCalls()
    const sessions = bench.provider.sessions.length
    const had = ben.phone.incoming.length
    ben.phone.onCall = 'ring'
    await transfer(anna, id, { target_username: 'ben' })
    const bens = await rung(ben, had)
    const { appends } = bench.provider.session
    await eventually(
      async () => Promise.resolve(bench.provider.session.appends),
      (now) => now > appends + 50,
      { what: 'model that hears that nobody speaks while it rings' },
    )
    ben.phone.accept(bens)
    expect(await annas.over()).to.equal('BYE')
    await modelHears(ben.hz, [anna.hz])
    ben.phone.ear.hush()
    await hears(bens, [voiceAgentHz], 'ben')
    expect(bench.provider.sessions).to.have.length(sessions)
    await bens.hangUp()
    ben.phone.ear.speak()
    expect(await bench.inbound.bench.ended(id)).to.include({ status: 'completed' })
    expect((await bench.endedSession(id, 15_000)).end_reason).to.equal('caller_left')
  })

  it('a phone that has called one beside its call joins both (REFER with Replaces)', async () => {
    const had = anna.phone.incoming.length
    const out = ben.phone.call('anna')
    expect(await out.answered()).to.equal(200)
    const back = await rung(anna, had)
    await hears(back, [ben.hz], 'anna')
    const first = await team.phones.lastCallIs('active')
    const { annas, id } = await annaCalls()
    expect(await anna.phone.joinCalls(back, annas)).to.equal(202)
    expect(await annas.over()).to.equal('BYE')
    await back.hangUp()
    await modelHears(ben.hz, [anna.hz])
    ben.phone.ear.hush()
    await hears(out, [voiceAgentHz], 'ben')
    expect(await bench.inbound.bench.ended(first)).to.include({ hangup_cause: 'ATTENDED_TRANSFER' })
    await out.hangUp()
    ben.phone.ear.speak()
    expect(await bench.inbound.bench.ended(id)).to.include({ status: 'completed' })
    expect((await bench.endedSession(id, 15_000)).end_reason).to.equal('caller_left')
  })

  it('a phone cannot join two of them', async () => {
    const { annas } = await annaCalls()
    const other = anna.phone.call('700')
    expect(await other.answered()).to.equal(200)
    await hears(other, [voiceAgentHz], 'anna')
    expect(await anna.phone.joinCalls(annas, other)).to.equal(603)
    for (const one of [annas, other]) {
      expect(one.state).to.equal('up')
      await one.hangUp()
    }
  })

  it('nobody is handed over to one that cannot be paid', async () => {
    const { appliance, workspace } = bench.inbound.bench
    const leave = async (balance: number) =>
      query(appliance, 'UPDATE credit_balances SET balance = ? WHERE workspace_id = ?', [
        ...[balance, workspace.id],
      ])
    const had = ben.phone.incoming.length
    const annas = anna.phone.call('ben')
    const bens = await rung(ben, had)
    ben.phone.accept(bens)
    expect(await annas.answered()).to.equal(200)
    const id = await team.phones.lastCallIs('active')
    await leave(0)
    try {
      await transfer(ben, id, { target: '700' })
      await bench.inbound.toldOfTransfer(id, 'no_credit')
    } finally {
      await leave(100)
    }
    await hears(annas, [ben.hz], 'anna, who has ben back')
    await annas.hangUp()
    expect(await bens.over()).to.equal('BYE')
  })
})
