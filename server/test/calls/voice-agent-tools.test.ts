/** Voice agents that use their tools in calls, on a real FreeSWITCH: whom callers hear then, and what models are told. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { clientToken } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { SilentListener, SilentClient } from '../support/silent-app.js'
import { feePerMinute } from '../support/call-bench.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Answer } from '../support/realtime-server.js'
import { Telephone } from '../support/telephone.js'
import { keysAsTones, withoutEvents } from '../support/tone.js'
import { VoiceAgentBench, type VoiceAgentCall, callerHz } from '../support/voice-agent-bench.js'

const voiceAgentHz = 660
const annaHz = 900

/** The first of the two tones of a ringback. */
const ringbackHz = 440

describe('tools of voice agents in calls, on the freeswitch', function () {
  this.timeout(120_000)
  let bench: VoiceAgentBench
  let phones: PhoneBench
  let anna: Telephone
  let server: CustomerServer
  /** What the model does with the answer of a tool. */
  let follow: (told: string) => Answer
  /** What happens when the caller is connected, before the tool is used. */
  let meanwhile: () => Promise<unknown>

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await VoiceAgentBench.start()
    phones = PhoneBench.on(bench.inbound.bench)
    const agent = await phones.agent('anna')
    anna = await phones.phone(agent, { toneHz: annaHz })
    await phones.team('Sales', [agent])
    server = await CustomerServer.start()
    const input = {
      ...{ name: 'look_up_order', description: 'Finds an order', webhook_url: server.url('/orders') },
      parameters: { number: { type: 'string', description: 'Its number', required: true } },
    }
    const path = `/voice-agents/${bench.voiceAgentId}/tools`
    await bench.api.post(path, input)
    const { body } = await bench.api.get(path)
    await bench.set({ functions: body.data.map(({ id }: { id: string }) => id) })
  })
  after(async () => {
    await phones?.closePhones()
    await server?.stop()
    await bench?.stop()
  })
  beforeEach(() => {
    anna.onCall = 'answer'
    follow = (text) => ({ text })
    meanwhile = async () => Promise.resolve()
    Object.assign(bench.provider, { hz: voiceAgentHz, answerMs: 600 })
  })
  afterEach(() => expect(bench.provider.violations).to.deep.equal([]))

  /** A call whose voice agent has just used a tool, as the caller has asked for. What it is told it says, if `follow` is not changed. */
  async function using(name: string, args: object, ...nodes: Parameters<typeof bench.nodes>[1][]) {
    const { provider } = bench
    provider.answer = ({ toolAnswers, callerText }) => {
      const told = toolAnswers.at(-1)
      if (told !== undefined) return follow(told)
      if (!callerText) return { text: 'Hello' }
      return { text: 'One moment.', calls: [{ name, arguments: args }] }
    }
    const call = await bench.call(nodes.length > 0 ? bench.nodes({}, ...(nodes as [])) : undefined)
    await call.hears(voiceAgentHz)
    await call.hearsNothing()
    await meanwhile()
    provider.callerWords.push('Please do it')
    await call.speak()
    return call
  }
  /** What the model is told, once it has said so. */
  const told = async (call: VoiceAgentCall): Promise<Record<string, unknown>> => {
    const said = await eventually(
      async () => (await bench.transcript(call.id)).map(({ text }) => text),
      (texts) => texts.at(-1)?.startsWith('{') === true,
      { withinMs: 30_000, what: 'answer of a tool' },
    )
    return JSON.parse(said.at(-1) ?? '') as Record<string, unknown>
  }
  const noted = async (call: VoiceAgentCall, event = 'call.tool') => {
    const found = await eventually(
      async () => (await bench.inbound.timeline(call.id)).filter((one) => one.event === event),
      (events) => events.length > 0,
      { what: event },
    )
    return found.at(-1)?.details ?? {}
  }
  const hearsTone = async (dialog: PhoneDialog, hz: number, who: string) =>
    eventually(
      async () => Promise.resolve(hears(dialog, hz, 1_600)),
      (level) => level > 0.5,
      { what: `${hz} Hz for ${who}` },
    )
  const together = async (call: VoiceAgentCall, other: PhoneDialog, hz: number) => {
    call.dialog.phone.ear.speak()
    await hearsTone(call.dialog, hz, 'the caller')
    await hearsTone(other, callerHz, 'the other one')
    call.dialog.phone.ear.hush()
  }
  const over = async (call: VoiceAgentCall) => {
    if (call.dialog.state === 'up') await call.dialog.hangUp()
    return call.session()
  }

  it('transfer to a client by its address, when something reaches it', async () => {
    const { workspace } = bench.inbound.bench
    const app = await SilentListener.withToken(bench.api, clientToken(workspace, { sub: 'zoe' }))
    const call = await using('transfer_call', { to: 'client:zoe', reason: 'Wants a discount' })
    const clientLeg = await SilentClient.take(await app.rung())
    expect(await clientLeg.hears('call.offer')).to.include({ transfer_reason: 'Wants a discount' })
    await clientLeg.answer()
    await eventually(
      async () => (await noted(call, 'call.transfer')).status,
      (status) => status === 'completed',
      { what: 'transfer' },
    )
    clientLeg.say('call.hangup')
    await call.dialog.over()
    expect((await call.session()).end_reason).to.equal('transferred')
    app.close()
  })

  it('transfer to a team by its name: the caller hears that it rings, and then the agent', async () => {
    anna.onCall = 'ring'
    const before = anna.incoming.length
    const call = await using('transfer_call', { to: 'sales', reason: 'Wants\na discount' })
    const rung = await anna.called(before)
    await call.hears(ringbackHz, 'ringing')
    anna.accept(rung)
    await together(call, rung, annaHz)
    const session = await call.session()
    expect(session.end_reason).to.equal('transferred')
    expect(await noted(call)).to.deep.include({ tool: 'transfer_call', outcome: 'completed' })
    expect(await noted(call, 'call.transfer')).to.deep.include({
      ...{ status: 'completed', transferred_by: bench.voiceAgentId, reason: 'Wants a discount' },
    })
    await rung.hangUp()
    expect(await call.dialog.over()).to.equal('BYE')
    expect(await call.path()).to.equal('ada:completed')
  })

  it('have the caller back when a transfer fails, and know why', async () => {
    anna.onCall = 486
    const call = await using('transfer_call', { to: 'anna' })
    expect(await told(call)).to.deep.include({ status: 'busy' })
    await call.hears(voiceAgentHz)
    expect(await noted(call)).to.deep.include({ tool: 'transfer_call', outcome: 'busy' })
    await call.dialog.hangUp()
    expect((await call.session()).end_reason).to.equal('caller_left')
  })

  it('are told of targets that there are not', async () => {
    const call = await using('transfer_call', { to: 'nobody we know' })
    expect(await told(call)).to.deep.equal({
      error: 'to is no telephone number, and no extension, agent or team of that name',
    })
    expect(await noted(call)).to.include({ outcome: 'invalid' })
    await over(call)
  })

  it('do not transfer to numbers of a premium rate', async () => {
    const call = await using('transfer_call', { to: '+44 909 879 0879' })
    expect(await told(call)).to.deep.equal({ error: 'to is a number of a premium rate' })
    expect(await noted(call)).to.include({ outcome: 'invalid' })
    await over(call)
  })

  it('do not transfer to countries that the workspace may not call', async () => {
    const { appliance, workspace } = bench.inbound.bench
    const allow = async (allowed_countries: string[] | null) => {
      const changed = await appliance.operator.patch(`/workspaces/${workspace.id}`, { allowed_countries })
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200)
    }
    await allow(['US', 'CA'])
    try {
      const call = await using('transfer_call', { to: '+44 20 7183 8750' })
      expect(await told(call)).to.deep.include({ status: 'not_allowed' })
      await call.hears(voiceAgentHz)
      expect(await noted(call)).to.include({ tool: 'transfer_call', outcome: 'not_allowed' })
      await over(call)
    } finally {
      await allow(null)
    }
  })

  it('do not transfer to a number when there is no credit for it', async () => {
    const { appliance, workspace, numberId } = bench.inbound.bench
    const leave = async (balance: number, fee_per_mins_call: number) => {
      const path = `/workspaces/${workspace.id}/phone-numbers/${numberId}`
      expect((await appliance.operator.patch(path, { fee_per_mins_call })).status).to.equal(200)
      await query(appliance, 'UPDATE credit_balances SET balance = ? WHERE workspace_id = ?', [
        ...[balance, workspace.id],
      ])
    }
    // Enough for the voice agent, and not for a second of the other call.
    meanwhile = async () => leave(5, 1_000)
    try {
      const call = await using('transfer_call', { to: '(202) 555-0106' })
      expect(await told(call)).to.deep.include({ status: 'no_credit' })
      expect(await noted(call)).to.include({ tool: 'transfer_call', outcome: 'no_credit' })
      await over(call)
    } finally {
      await leave(100, feePerMinute)
    }
  })

  it('transfer to a telephone number, as one dials it in the country', async () => {
    const outside = await Telephone.open({
      ...{ username: 'carrier', domain: 'carrier.test', server: '127.0.0.1:1', toneHz: 1_500 },
    })
    try {
      const gateway = await bench.api.post('/sip-trunks/gateways', {
        ...{ title: 'Outside', outbound_caller_id: '12025550199' },
        outbound_uris: [{ uri: '127.0.0.1', port: outside.port, protocol: 'udp', priority: 1 }],
      })
      const number = `/phone-numbers/${bench.inbound.bench.numberId}`
      const changed = await bench.api.patch(number, { outbound_gateway_id: gateway.body.id })
      expect(changed.status, JSON.stringify(gateway.body)).to.equal(200)
      const call = await using('transfer_call', { to: '(202) 555-0106' })
      const reached = await outside.called(0)
      expect(reached.received[0]).to.match(/^INVITE sip:\+12025550106@/)
      expect(reached.received[0]).to.match(/^From:.*\+12025550199@/im)
      await together(call, reached, 1_500)
      expect((await call.session()).end_reason).to.equal('transferred')
      expect(await noted(call)).to.deep.include({
        ...{ outcome: 'completed', to: { kind: 'number', id: '12025550106', name: '+12025550106' } },
      })
      await call.dialog.hangUp()
      const record = await bench.inbound.bench.ended(call.id)
      expect(JSON.stringify(record.legs)).to.include('12025550106')
    } finally {
      await outside.close()
    }
  })

  it('transfer to another voice agent by its extension', async () => {
    const input = { name: 'Ben', instructions: 'Answer questions about invoices.' }
    const ben = (await bench.api.post('/voice-agents', input)).body.id as string
    const extension = {
      title: 'Ben',
      extension_number: '321',
      destination: 'voice-agent',
      voice_agent_id: ben,
    }
    const made = await bench.api.post('/extensions', extension)
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const call = await using('transfer_call', { to: '321' })
    const sessions = await eventually(
      async () => bench.sessions(call.id),
      (all) => all.length === 2,
      { withinMs: 20_000, what: 'session of the other one' },
    )
    expect(sessions.map(({ voice_agent_id }) => voice_agent_id)).to.deep.equal([bench.voiceAgentId, ben])
    await call.hears(voiceAgentHz, 'the greeting of the other one')
    await over(call)
    const [first] = await bench.sessions(call.id)
    expect(first?.end_reason).to.equal('transferred')
  })

  it('end the call when all is heard, and nothing follows', async () => {
    const { provider } = bench
    provider.answerMs = 2_500
    const call = await using('end_call', {}, { id: 'bye', type: 'hangup' })
    await call.hears(voiceAgentHz, 'the goodbye')
    expect(await call.dialog.over()).to.equal('BYE')
    expect((await call.session()).end_reason).to.equal('ended')
    const record = await bench.inbound.bench.ended(call.id)
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(await noted(call)).to.include({ tool: 'end_call', outcome: 'completed' })
    expect(await call.path()).to.not.include('bye')
  })

  it('hold the call: the caller hears music, until they are taken up again', async () => {
    follow = (text) =>
      text.includes('on_hold')
        ? { thinkMs: 4_000, calls: [{ name: 'hold_call', arguments: { action: 'resume' } }] }
        : { text }
    const call = await using('hold_call', { action: 'hold' })
    await call.hears(523.25, 'music')
    expect(await told(call)).to.deep.equal({ status: 'resumed' })
    await call.hears(voiceAgentHz)
    expect(await noted(call)).to.include({ tool: 'hold_call', outcome: 'completed' })
    await over(call)
  })

  describe('whose server is killed in the middle of it', () => {
    const restart = async (meanwhile: () => Promise<unknown> = async () => Promise.resolve()) => {
      await bench.appliance.killServer()
      await meanwhile()
      await bench.appliance.startServer()
    }
    const ends = async (call: VoiceAgentCall) =>
      (await bench.sessions(call.id)).map(({ end_reason }) => end_reason)

    const takesUpFromHold = async (interrupt: () => Promise<unknown>) => {
      follow = () => ({})
      const call = await using('hold_call', { action: 'hold' })
      await call.hears(523.25, 'music')
      // A tone that is not in the music.
      bench.provider.hz = 1_200
      await interrupt()
      await call.hears(1_200, 'the voice agent')
      await over(call)
      expect(await ends(call)).to.deep.equal(['resumed', 'caller_left'])
    }

    it('take the caller up again who was on hold', async () => takesUpFromHold(restart))

    it('hand the caller over to whom it rang for', async () => {
      anna.onCall = 'ring'
      const before = anna.incoming.length
      const call = await using('transfer_call', { to: 'anna' })
      await anna.called(before)
      await restart()
      const rung = await anna.called(before + 1)
      await call.hears(ringbackHz, 'ringing')
      anna.accept(rung)
      await together(call, rung, annaHz)
      // Nobody comes between them.
      await sleep(3_000)
      await together(call, rung, annaHz)
      await rung.hangUp()
      expect(await call.dialog.over()).to.equal('BYE')
      expect(await call.path()).to.equal('ada:completed')
    })

    it('hand the caller over to who has answered meanwhile', async () => {
      anna.onCall = 'ring'
      const before = anna.incoming.length
      const call = await using('transfer_call', { to: 'anna' })
      const rung = await anna.called(before)
      await restart(async () => {
        anna.accept(rung)
        await rung.up()
      })
      await together(call, rung, annaHz)
      await sleep(3_000)
      await together(call, rung, annaHz)
      expect(anna.incoming).to.have.length(before + 1)
      await call.dialog.hangUp()
      const { legs } = await bench.inbound.bench.ended(call.id)
      expect(legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    })

    it('go on when only the link to the switch was lost for a moment', async () =>
      takesUpFromHold(async () => bench.appliance.cutLink(500)))

    it('have the caller back when nobody takes them', async () => {
      anna.onCall = 'ring'
      const before = anna.incoming.length
      const call = await using('transfer_call', { to: 'anna' })
      await anna.called(before)
      anna.onCall = 486
      await restart()
      await call.hears(voiceAgentHz, 'the voice agent')
      await call.speak()
      await call.hears(voiceAgentHz, 'an answer')
      await over(call)
      expect(await ends(call)).to.deep.equal(['resumed', 'caller_left'])
    })
  })

  it('collect what the caller presses, also while they are spoken to', async () => {
    const call = await using('collect_digits', { max_digits: 4, timeout: 10 })
    await call.hears(voiceAgentHz)
    call.dialog.phone.press(call.dialog, '48#')
    expect(await told(call)).to.deep.equal({ digits: '48', status: 'completed' })
    const note = await noted(call)
    expect(note).to.include({ tool: 'collect_digits', outcome: 'completed', digits: 2 })
    expect(JSON.stringify(note)).to.not.include('"48"')
    await over(call)
  })

  for (const [how, describes, press] of [
    ['events', (sdp: string) => sdp, (dialog: PhoneDialog) => dialog.phone.press(dialog, '12#')],
    ['tones', withoutEvents, ({ phone }: PhoneDialog) => phone.ear.say(keysAsTones('12#'))],
  ] as const) {
    it(`are not needed for keys that the caller presses by themselves, as ${how}`, async () => {
      const { provider } = bench
      provider.answer = ({ session }) => {
        const note = session.items.findLast(({ role }) => role === 'system')
        return { text: note ? `{"told":"${note.content[0].text}"}` : 'Hello', ms: 600 }
      }
      const call = await bench.call(undefined, { describes })
      await call.hears(voiceAgentHz)
      press(call.dialog)
      expect((await told(call))['told']).to.match(/1 2 #$/)
      expect(await noted(call, 'call.keys')).to.deep.equal({
        keys: '12#',
        voice_agent_id: bench.voiceAgentId,
      })
      await over(call)
    })
  }

  it('are bridged by a sentence while a server takes long', async () => {
    server.on('/orders', (asked, response) => {
      void sleep(4_500).then(() => answering({ state: 'on its way' })(asked, response))
    })
    const call = await using('look_up_order', { number: '4711' })
    expect(await told(call)).to.deep.equal({ status: 200, answer: { state: 'on its way' } })
    const said = (await bench.transcript(call.id)).map(({ text }) => text)
    expect(said.filter((text) => text === 'One moment, please.')).to.have.length(1)
    await over(call)
  })

  it('ask a server of the customer', async () => {
    server.on('/orders', answering({ state: 'on its way' }))
    const call = await using('look_up_order', { number: '4711' })
    expect(await told(call)).to.deep.equal({ status: 200, answer: { state: 'on its way' } })
    const asked = server.at('/orders').at(-1)
    expect(asked?.body).to.deep.include({
      ...{ call_id: call.id, voice_agent_id: bench.voiceAgentId, version: 1, tool: 'look_up_order' },
      ...{ caller_number: '+12125550123', destination_number: '+12025550199' },
      arguments: { number: '4711' },
    })
    expect(await noted(call)).to.include({ tool: 'look_up_order', outcome: 'completed', status: 200 })
    await over(call)
  })
})
