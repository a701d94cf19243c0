/** Callers talk with voice agents, whose provider is a server of the test, on a real FreeSWITCH. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { query } from '../api/database.js'
import { newAdmin } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { multipart, wavFile } from '../support/audio-files.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { TestNode } from '../support/inbound-bench.js'
import { PhoneBench } from '../support/phone-bench.js'
import { heardIn, hears, loudness } from '../support/phone-dialog.js'
import { SilentApp, SilentClient } from '../support/silent-app.js'
import { bandLevels, toneLevel } from '../support/tone.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'
import {
  VoiceAgentBench,
  VoiceAgentCall,
  callerHz,
  greeting,
  lines,
  pricePerMinute,
} from '../support/voice-agent-bench.js'

describe('voice agents in calls, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: VoiceAgentBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await VoiceAgentBench.start()
  })
  after(async () => bench?.stop())
  beforeEach(() => {
    const { provider } = bench
    provider.answers.length = provider.callerWords.length = 0
    provider.answer = () => ({ text: 'I hear you.' })
    Object.assign(provider, { hz: 660, answerMs: 1_000, handshake: 'ok' })
  })
  afterEach(() => expect(bench.provider.violations).to.deep.equal([]))

  it('greet the caller, hear them, and answer', async () => {
    const { provider } = bench
    const call = await bench.call()
    await call.hears(660)
    await call.hearsNothing()
    provider.hz = 900
    provider.callerWords.push('When do you open?')
    await call.speak()
    await call.hears(900)
    expect(toneLevel(provider.session.heard, callerHz, 24_000)).to.be.greaterThan(0.8)
    const said = await call.said(3)
    expect(lines(said)).to.deep.equal([
      `voice_agent: ${greeting}`,
      'caller: When do you open?',
      'voice_agent: I hear you.',
    ])
    expect(said.every(({ is_interrupted }) => !is_interrupted)).to.equal(true)
    await call.dialog.hangUp()
    const session = await call.session()
    expect(session.end_reason).to.equal('caller_left')
    expect(session.voice_agent_id).to.equal(bench.voiceAgentId)
    expect(session.version).to.equal(1)
    expect(session.usage?.['output_audio_tokens']).to.be.greaterThan(0)
    const record = await bench.inbound.bench.ended(call.id)
    const leg = record.legs.find(({ role }) => role === 'destination')!
    expect(leg.uri).to.equal(`voice-agent:${bench.voiceAgentId}`)
    const seconds = Math.ceil((Date.parse(leg.ended_at!) - Date.parse(leg.answered_at!)) / 1000)
    expect(session.cost).to.be.closeTo((seconds * pricePerMinute) / 60, 1e-6)
    expect(record.cost).to.be.at.least(session.cost)
  })

  it('stop at once when the caller begins to speak', async () => {
    const { provider } = bench
    provider.answerMs = 8_000
    const call = await bench.call()
    await call.hears(660)
    const before = Date.now()
    call.dialog.phone.ear.speak()
    await eventually(
      async () => Promise.resolve(loudness(call.dialog)),
      (loudness) => loudness < 100,
      { what: 'silence' },
    )
    // A tenth of a second of it is what silence is told by.
    expect(Date.now() - before).to.be.lessThan(1_000)
    provider.answerMs = 500
    call.dialog.phone.ear.hush()
    await call.hears(660, 'the answer')
    const [first] = await call.said(2)
    expect(first).to.include({ speaker: 'voice_agent', text: greeting, is_interrupted: true })
    const [truncated] = provider.session.truncated
    expect(truncated?.audio_end_ms).to.be.within(100, 7_000)
    await call.dialog.hangUp()
    await call.session()
  })

  it('ask whether the caller is there, and leave when nobody answers', async () => {
    const { provider } = bench
    provider.answerMs = 200
    provider.answer = ({ asked }) => ({
      text:
        String(asked?.instructions ?? '')
          .split('\n')
          .at(-1) ?? '',
    })
    const call = await bench.call(bench.nodes({}, { id: 'bye', type: 'hangup' }))
    const session = await call.session(40_000)
    expect(session.end_reason).to.equal('silence')
    expect(await call.path()).to.equal('ada:completed bye:completed')
    const texts = (await bench.transcript(call.id)).map(({ text }) => text)
    expect(texts).to.have.length(4)
    expect(texts[1]).to.match(/still there/)
    expect(texts[2]).to.equal(texts[1])
    expect(texts[3]).to.match(/goodbye/)
  })

  it('stay when the caller is there after all', async () => {
    bench.provider.answerMs = 200
    const call = await bench.call()
    await call.said(2)
    await call.speak()
    // Asked once more, and not left: two questions in a row it takes for that.
    await call.said(6, 40_000)
    expect(call.dialog.state).to.equal('up')
    await call.dialog.hangUp()
    expect((await call.session()).end_reason).to.equal('caller_left')
  })

  it('say goodbye when their time is over, and the call goes on', async () => {
    const { provider } = bench
    provider.answerMs = 200
    provider.answer = ({ asked }) => ({
      text:
        String(asked?.instructions ?? '')
          .split('\n')
          .at(-1) ?? '',
    })
    const call = await bench.call(
      bench.nodes({ max_duration_seconds: 8 }, { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }),
    )
    const began = Date.now()
    const session = await call.session()
    expect(Date.now() - began).to.be.lessThan(12_000)
    expect(session.end_reason).to.equal('max_duration')
    expect((await bench.transcript(call.id)).at(-1)?.text).to.match(/time of this call is over/)
    expect(await call.path()).to.equal('ada:completed bye:completed')
    expect((await bench.inbound.bench.ended(call.id)).hangup_cause).to.equal('USER_BUSY')
  })

  it('take no longer than their version says, unless the action says otherwise', async () => {
    await bench.set({ max_call_duration_seconds: 2 })
    try {
      const [call, longer] = [
        await bench.call(),
        await bench.call(bench.nodes({ max_duration_seconds: 300 })),
      ]
      expect((await call.session()).end_reason).to.equal('max_duration')
      await call.dialog.over()
      await longer.hears(660)
      await sleep(3_000)
      expect((await bench.sessions(longer.id))[0]!.ended_at).to.equal(null)
      await longer.dialog.hangUp()
      expect((await longer.session()).end_reason).to.equal('caller_left')
    } finally {
      await bench.set({ max_call_duration_seconds: 0 })
    }
  })

  describe('whose provider', () => {
    const nextHz = 1250
    let next: TestNode

    before(async () => {
      const content = wavFile(nextHz, 1, { rate: 8_000 })
      const raw = multipart({ title: 'Next' }, { name: 'next.wav', content })
      const { status, body } = await bench.api.request('POST', '/audios', { raw })
      if (status !== 201) throw new Error(JSON.stringify(body))
      next = { id: 'next', type: 'play', params: { audio_id: body.id as string } }
    })

    /** The call ends; the caller has heard speech in the two seconds before what comes next. */
    const hearsSentence = async (call: VoiceAgentCall) => {
      await call.dialog.over()
      const heard = heardIn(call.dialog)
      let next = 0
      while (next < heard.length && toneLevel(heard.subarray(next, next + 400), nextHz) < 0.9) next += 400
      expect(next, 'where the next node is heard').to.be.within(16_000, heard.length - 4_000)
      const levels = bandLevels(heard.subarray(next - 16_000, next))
      // Ringback tones, and what the voice agent sounds like, lie in one band or two.
      expect(
        levels.filter((level) => level > 0.02),
        levels.join(' '),
      ).to.have.length.above(4)
      expect(Math.max(...levels), levels.join(' ')).to.be.below(0.5)
      const loud = Array.from({ length: 40 }, (_, index) =>
        heard.subarray(next - 400 * (index + 1), next - 400 * index),
      ).filter((block) => block.some((sample) => Math.abs(sample) > 500))
      expect(loud.length * 50, 'milliseconds of speech').to.be.above(1_000)
    }

    it('is down: the caller hears so, and the call goes on', async () => {
      bench.provider.handshake = 503
      const call = await bench.call(bench.nodes({}, next))
      await hearsSentence(call)
      expect(await call.path()).to.equal('ada:failed next:completed')
      expect(await bench.sessions(call.id)).to.deep.equal([])
    })

    it('is slow: the caller hears so after the timeout', async () => {
      bench.provider.handshake = 'hangs'
      const call = await bench.call(bench.nodes({ timeout: 2 }, next))
      // The timeout holds also where it is longer than most handshakes.
      const patient = await bench.call(bench.nodes({ timeout: 12 }, next))
      for (const one of [call, patient]) {
        await hearsSentence(one)
        expect(await one.path()).to.equal('ada:no_answer next:completed')
      }
    })

    it('is lost in the middle of it: the caller hears so, and the call goes on', async () => {
      bench.provider.answerMs = 20_000
      const call = await bench.call(bench.nodes({}, next))
      await call.hears(660)
      bench.provider.session.drop()
      await hearsSentence(call)
      expect(await call.path()).to.equal('ada:failed next:completed')
      expect((await call.session()).end_reason).to.equal('provider_failed')
    })

    it('ends the session: as when it is lost', async () => {
      const call = await bench.call(bench.nodes({}, next))
      await call.hears(660)
      bench.provider.session.close()
      await hearsSentence(call)
      expect(await call.path()).to.equal('ada:failed next:completed')
    })
  })

  describe('and their versions', () => {
    const instructions = () => bench.provider.session.settings.instructions as string

    it('are those that are published, or named; running calls keep theirs', async () => {
      const path = `/voice-agents/${bench.voiceAgentId}`
      expect((await bench.api.post(`${path}/version`)).status).to.be.oneOf([200, 201])
      await bench.set({ instructions: 'Sell what is in stock.' }, 2)
      const first = await bench.call()
      await first.said(1)
      expect(instructions()).to.include('opening hours')
      const named = await bench.call(bench.nodes({ version: 2 }))
      await named.said(1)
      expect(instructions()).to.include('in stock')
      // What changes now is for later calls.
      await bench.set({ instructions: 'Say that we have moved to another town.' })
      expect((await bench.api.patch(`${path}/publish`, { version: 2 })).status).to.equal(200)
      const last = await bench.call()
      await last.said(1)
      expect(instructions()).to.include('in stock')
      await bench.set({ instructions: 'Answer questions about opening hours.' })
      await bench.api.patch(`${path}/publish`, { version: 1 })
      for (const call of [first, named, last]) await call.dialog.hangUp()
      const versions = [first, named, last].map(async (call) => (await call.session()).version)
      expect(await Promise.all(versions)).to.deep.equal([1, 2, 2])
      const settings = bench.provider.sessions.at(-3)!.settings as { instructions: string }
      expect(settings.instructions).to.include('opening hours')
    })
  })

  it('go on after the server was killed in the middle of it', async () => {
    const { provider } = bench
    provider.answerMs = 500
    provider.callerWords.push('My name is Eve.', 'What is my name?')
    const call = await bench.call()
    await call.said(1)
    await call.speak()
    await call.said(3)
    const before = provider.sessions.length
    await bench.appliance.killServer()
    await bench.appliance.startServer()
    await eventually(
      async () => Promise.resolve(JSON.stringify(provider.sessions[before]?.items ?? [])),
      (items) => items.includes('My name is Eve.'),
      { what: 'session of the next server, which knows what was said' },
    )
    provider.hz = 900
    provider.answerMs = 2_000
    await eventually(
      async () => Promise.resolve(provider.session.appends),
      (frames) => frames > 10,
      { what: 'caller at the next session' },
    )
    await call.speak()
    await call.hears(900, 'the answer of the next session')
    await call.dialog.hangUp()
    expect((await call.session()).end_reason).to.equal('caller_left')
    const sessions = await bench.sessions(call.id)
    expect(sessions.map(({ end_reason }) => end_reason)).to.deep.equal(['resumed', 'caller_left'])
    for (const { usage } of sessions) expect(usage?.['output_audio_tokens']).to.be.greaterThan(0)
    const said = await bench.transcript(call.id)
    expect(said.map(({ position }) => position)).to.deep.equal(said.map((_, index) => index + 1))
    expect(lines(said)).to.include('caller: What is my name?')
    const record = await bench.inbound.bench.ended(call.id)
    expect(record.legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
  })

  it('are paid for what was used until the caller left, also when no server was there to see that', async () => {
    bench.provider.answerMs = 500
    const call = await bench.call()
    await call.said(1)
    await bench.appliance.killServer()
    await call.dialog.hangUp()
    await bench.appliance.startServer()
    const { end_reason, usage, cost } = await call.session()
    expect(end_reason).to.equal('caller_left')
    expect(usage?.['output_audio_tokens']).to.be.greaterThan(0)
    expect(cost).to.be.greaterThan(0)
    expect((await bench.inbound.bench.ended(call.id)).cost).to.be.at.least(cost)
  })

  it('do not stay open when the server was killed between the end of the call and theirs', async () => {
    const call = await bench.call()
    await call.said(1)
    await call.dialog.hangUp()
    const { cost } = await call.session()
    await bench.appliance.killServer()
    // What the kill would have left, a while ago.
    const openAgain = 'ended_at = NULL, end_reason = NULL, cost = 0'
    for (const [sql, id] of [
      [`UPDATE voice_agent_sessions SET ${openAgain} WHERE call_id = ?`, call.id],
      ['UPDATE calls SET ended_at = ended_at - INTERVAL 2 MINUTE WHERE id = ?', call.id],
      ['UPDATE call_legs SET ended_at = ended_at - INTERVAL 2 MINUTE WHERE call_id = ?', call.id],
      ['UPDATE call_legs SET answered_at = answered_at - INTERVAL 2 MINUTE WHERE call_id = ?', call.id],
    ] as const)
      await query(bench.appliance, sql, [id])
    await bench.appliance.startServer()
    const swept = await call.session()
    expect(swept).to.include({ end_reason: 'caller_left', cost })
    const { ended_at } = (await bench.inbound.bench.ended(call.id)) as unknown as { ended_at: string }
    expect(new Date(swept.ended_at!).getTime()).to.be.at.most(new Date(ended_at).getTime())
  })

  it('send webhooks of what is said, and of their beginning and end', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    try {
      const families = ['started', 'dialogue', 'completed', 'ready']
      const events = families.map((family) => `transcription.${family}`)
      const made = await bench.api.post('/webhooks', { url: receiver.url(), events })
      expect(made.status).to.equal(201)
      const call = await bench.call()
      await call.said(1)
      await call.dialog.hangUp()
      const told = await eventually(
        async () => Promise.resolve(receiver.inOrder()),
        (all) => all.length >= 4,
        { what: 'four events' },
      )
      expect(told.map(({ event }) => event)).to.deep.equal(events)
      const [session] = await bench.sessions(call.id)
      const about = { call_id: call.id, session_id: session!.id, version: 1 }
      for (const { data } of told) expect(data).to.include(about)
      expect(told[1]!.data).to.include({ position: 1, speaker: 'voice_agent', text: greeting })
      expect(told[3]!.data).to.include({ utterances: (await bench.transcript(call.id)).length })
      await bench.api.delete(`/webhooks/${made.body.id as string}`)
    } finally {
      await receiver.stop()
    }
  })

  it('are dialled by their extension, from phones and in flows', async () => {
    const phones = PhoneBench.on(bench.inbound.bench)
    const account = await phones.account('desk')
    const phone = await phones.phone(account, { toneHz: callerHz })
    await phones.extension('700', bench.voiceAgentId)
    phone.ear.hush()
    const dialog = phone.call('700')
    expect(await dialog.answered()).to.equal(200)
    await eventually(
      async () => Promise.resolve(hears(dialog, 660, 1_600)),
      (level) => level > 0.3,
      { what: 'voice agent' },
    )
    await dialog.hangUp()
    const { body } = await bench.api.get('/extensions')
    const call = await bench.call([
      { id: 'to', type: 'go_to_extension', params: { extension_id: body.data[0].id as string } },
    ])
    await call.hears(660)
    await call.dialog.hangUp()
    await call.session()
    await phones.closePhones()
  })

  it('are called by their extension over the API, and speak when they are joined with somebody', async () => {
    const phones = PhoneBench.on(bench.inbound.bench)
    const phone = await phones.phone(await phones.account('front'), { toneHz: callerHz, onCall: 'ring' })
    // A caller who speaks from the first moment on cuts the greeting off.
    phone.ear.hush()
    await phones.extension('702', bench.voiceAgentId)
    const toFront = { action: 'to_operator', params: { phone_number: 'front' } }
    const made = await bench.api.post('/calls/make', { to: { number: '702' }, actions: [toFront] })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const id = made.body.data.call_id as string
    await eventually(
      async () => phone.incoming[0],
      (one) => one !== undefined,
      { what: 'the phone rings' },
    )
    await sleep(500)
    expect(await bench.sessions(id), 'nobody to speak with yet').to.deep.equal([])
    phone.onCall = 'answer'
    await bench.api.put(`/calls/${id}/actions`, { actions: [toFront] })
    const dialog = await phone.called(1)
    await eventually(
      async () => Promise.resolve(hears(dialog, 660, 1_600)),
      (level) => level > 0.3,
      { what: 'voice agent' },
    )
    const said = await eventually(
      async () => bench.transcript(id),
      ({ length }) => length > 0,
      { what: 'what was said' },
    )
    expect(said[0]).to.include({ speaker: 'voice_agent', text: greeting })
    await dialog.hangUp()
    const record = await bench.inbound.bench.ended(id)
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect((await bench.endedSession(id, 10_000)).end_reason).to.equal('caller_left')
    await phones.closePhones()
  })

  it('are dialled by their extension from apps of agents', async () => {
    const phones = PhoneBench.on(bench.inbound.bench)
    const app = await SilentApp.of(bench.api, await phones.agent('eve'))
    await phones.extension('701', bench.voiceAgentId)
    try {
      const made = await app.api.post('/call-center/calls/make', { type: 'audio', to: '701' })
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      const clientLeg = await SilentClient.take(made.body)
      await clientLeg.answer()
      const id = made.body.call_id as string
      await bench.inbound.bench.reaches(id, 'active')
      const sessions = await eventually(
        async () => bench.sessions(id),
        (all) => all.length > 0,
        { what: 'session' },
      )
      expect(sessions[0]).to.include({ voice_agent_id: bench.voiceAgentId, end_reason: null })
      clientLeg.say('call.hangup')
      expect((await bench.endedSession(id, 10_000)).end_reason).to.equal('caller_left')
      const { legs, status } = await bench.inbound.bench.ended(id)
      expect(status).to.equal('completed')
      expect(legs.map(({ role, uri }) => [role, uri.split(':')[0]])).to.deep.equal([
        ['caller', 'app'],
        ['destination', 'voice-agent'],
      ])
    } finally {
      app.close()
    }
  })

  describe('are tried in the browser', () => {
    const path = () => `/voice-agents/${bench.voiceAgentId}`
    const bridge = async (body: object, headers: Record<string, string> = {}, api = bench.api) =>
      api.post(`${path()}/talk`, body, headers)

    it('by who manages them: the named version is there, and the call ends with it', async () => {
      const { version } = (await bench.api.post(`${path()}/version`)).body as { version: number }
      await bench.set({ instructions: 'Speak of the weather only.' }, version)
      const made = await bridge({ version })
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      const clientLeg = await SilentClient.take(made.body)
      await clientLeg.answer()
      const id = made.body.call_id as string
      await eventually(
        async () => bench.sessions(id),
        (sessions) => sessions.length > 0,
        { what: 'session' },
      )
      expect(bench.provider.session.settings.instructions).to.include('weather')
      // What stays with a lost voice agent is nobody: its call is over.
      bench.provider.session.drop()
      expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'hangup' })
      const { version: talked, end_reason } = await bench.endedSession(id, 10_000)
      expect([talked, end_reason]).to.deep.equal([version, 'provider_failed'])
      const { legs, ...record } = await bench.inbound.bench.ended(id)
      const [sid] = /sid-[a-z0-9]+/.exec(bench.api.authorization!)!
      expect(record).to.include({ direction: 'outbound', from: sid, to: 'Ada', agent_id: null })
      expect(legs.map(({ role, uri }) => [role, uri.split(':')[0]])).to.deep.equal([
        ['caller', 'app'],
        ['destination', 'voice-agent'],
      ])
      expect((await bench.api.delete(`${path()}/version/${version}`)).status).to.equal(200)
    })

    it('by the operator, and the published version by default; once with one Idempotency-Key', async () => {
      const operator = bench.api.with({ authorization: bench.appliance.operator.authorization })
      const key = { 'Idempotency-Key': 'the-same' }
      const [one, two] = [await bridge({}, key, operator), await bridge({}, key, operator)]
      expect(two.body.call_id).to.equal(one.body.call_id)
      expect((await bridge({}, key)).body.call_id, 'a key means nothing to others').not.to.equal(
        one.body.call_id,
      )
      expect((await bridge({ version: 1 }, key, operator)).status).to.equal(409)
      const clientLeg = await SilentClient.take(two.body)
      await clientLeg.answer()
      const id = one.body.call_id as string
      await bench.inbound.bench.reaches(id, 'active')
      clientLeg.say('call.hangup')
      expect((await bench.endedSession(id, 10_000)).version).to.equal(1)
      expect(await bench.inbound.bench.ended(id)).to.include({ from: 'operator', status: 'completed' })
    })

    it('by an agent who is an admin: it is their call', async () => {
      const { id, api } = await newAdmin(bench.inbound.bench.workspace)
      const made = await bridge({}, {}, api)
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      const clientLeg = await SilentClient.take(made.body)
      await clientLeg.answer()
      await bench.inbound.bench.reaches(made.body.call_id as string, 'active')
      clientLeg.say('call.hangup')
      const record = await bench.inbound.bench.ended(made.body.call_id as string)
      expect(record).to.include({ agent_id: id, to: 'Ada' })
    })

    it('not once the key that asked is revoked, nor in a version that is not there', async () => {
      const { body } = await bench.api.post('/api-keys', { title: 'Gone', scope: 'full', role: 'editor' })
      const gone = bench.api.with({ authorization: `ApiKey ${body.api_key as string}` })
      const made = await bridge({}, {}, gone)
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      expect((await bench.api.delete(`/api-keys/${body.sid as string}`)).status).to.equal(200)
      const clientLeg = await SilentClient.take(made.body)
      expect((await clientLeg.hears('error')).code).to.equal('token_revoked')
      expect(await clientLeg.closed()).to.equal(4003)
      await bench.api.post(`/calls/${made.body.call_id as string}/hangup`)
      const unknown = await bridge({ version: 99 })
      expect(unknown.status).to.equal(400)
      expect(unknown.body.errors[0].field).to.equal('version')
    })
  })

  it('talk with who is called by the API, and the script goes on behind them', async () => {
    const calls = bench.inbound.bench
    const phones = PhoneBench.on(calls)
    const phone = await phones.phone(await phones.account('reception'), { toneHz: callerHz })
    phone.ear.hush()
    const params = { voice_agent_id: bench.voiceAgentId, max_duration_seconds: 8 }
    const id = await calls.call('reception', [
      { action: 'connect_voice_agent', params },
      { action: 'tts', params: { text: 'Thank you for your time, and goodbye.' } },
    ])
    const call = new VoiceAgentCall(bench, id, await phone.called(0))
    await call.hears(660, 'the greeting')
    bench.provider.callerWords.push('Who is there?')
    await call.speak()
    expect(lines(await call.said(3))).to.include('caller: Who is there?')
    expect((await call.session()).end_reason).to.equal('max_duration')
    await eventually(
      async () => Promise.resolve([loudness(call.dialog), hears(call.dialog, 660, 1_600)]),
      ([loud = 0, tone = 1]) => loud > 300 && tone < 0.3,
      { what: 'sentence' },
    )
    expect(await call.dialog.over()).to.equal('BYE')
    const { status, direction, cost } = await calls.ended(id)
    expect([status, direction]).to.deep.equal(['completed', 'outbound'])
    // The call to the phone itself is free.
    expect(cost).to.be.closeTo((await call.session()).cost, 1e-6)
    const timeline = await bench.inbound.timeline(id)
    expect(timeline.map(({ event }) => event).filter((event) => event !== 'call.action')).to.deep.equal([
      ...['call.created', 'call.ringing', 'call.answered', 'call.ended'],
    ])
    const actions = timeline.filter(({ event }) => event === 'call.action')
    expect(
      actions.map(({ details }) => `${String(details?.['action'])}:${String(details?.['outcome'])}`),
    ).to.deep.equal([...['connect_voice_agent:completed', 'tts:completed']])
    await phones.closePhones()
  })

  it('give way to other actions, which go on with the caller', async () => {
    bench.provider.answerMs = 20_000
    const call = await bench.call()
    await call.hears(660)
    const actions = [
      { action: 'tts', params: { text: 'Somebody else speaks with you now.' } },
      { action: 'hangup', params: { cause: 'USER_BUSY' } },
    ]
    expect((await bench.api.put(`/calls/${call.id}/actions`, { actions })).status).to.equal(200)
    expect((await call.session()).end_reason).to.equal('replaced')
    await eventually(
      async () => Promise.resolve([loudness(call.dialog), hears(call.dialog, 660, 1_600)]),
      ([loud = 0, tone = 1]) => loud > 300 && tone < 0.3,
      { what: 'sentence' },
    )
    expect(await call.dialog.over()).to.equal('BYE')
    expect((await bench.inbound.bench.ended(call.id)).hangup_cause).to.equal('USER_BUSY')
  })
})
