/** The client of the Realtime protocol, against a server that speaks it strictly, in both of its spellings. */
import { expect } from 'chai'
import fc from 'fast-check'
import { pino } from 'pino'
import { realtimeLimits } from '../../src/adapters/speech/realtime/realtime-limits.js'
import { RealtimeModel } from '../../src/adapters/speech/realtime/realtime-model.js'
import type {
  SpeechModelError,
  SpeechModelEvents,
  SpeechSettings,
  SpeechUsage,
  ToolCall,
} from '../../src/adapters/speech/speech-model.js'
import { soundAnalysis } from '../../src/adapters/speech/sound/sound-analysis.js'
import { usualTurns } from '../../src/adapters/speech/turn-detection.js'
import { eventually } from '../support/api-client.js'
import { framesOf } from '../support/judged.js'
import { RealtimeServer } from '../support/realtime-server.js'
import { spoken } from '../support/spoken.js'
import { tone, toneLevel } from '../support/tone.js'

const rate = 24_000
const frame = 480

const settings: SpeechSettings = {
  modelId: 'gpt-realtime',
  voiceId: 'marin',
  instructions: 'You answer the telephone of a bakery.',
  temperature: 2,
  noiseReduction: true,
  tools: [
    {
      name: 'end_call',
      description: 'Ends the call.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    },
  ],
  history: [],
  language: 'de-CH',
  turnDetection: usualTurns,
}

/** Everything that a model has told. */
class Told {
  readonly events: [string, ...unknown[]][] = []
  readonly sound: Int16Array[] = []
  /** The utterance that sounded last. */
  item = ''

  constructor(readonly model: RealtimeModel) {
    const names = [
      'callerSpeaks',
      'callerPauses',
      'heard',
      'said',
      'toolCall',
      'responded',
      'usage',
      'failed',
    ]
    for (const name of names as (keyof SpeechModelEvents)[]) {
      model.on(name, (...details: unknown[]) => this.events.push([name, ...details]))
    }
    model.on('audio', (samples, item) => {
      this.sound.push(samples)
      this.item = item
    })
    model.on('audioDone', (item) => this.events.push(['audioDone', item]))
  }

  of(name: string): unknown[][] {
    return this.events.filter(([one]) => one === name).map(([, ...details]) => details)
  }

  get said(): unknown[] {
    return this.of('said').map(([text]) => text)
  }

  get failure(): SpeechModelError | undefined {
    return this.of('failed')[0]?.[0] as SpeechModelError | undefined
  }

  get samples(): Int16Array {
    const bytes = this.sound.map(({ buffer }) => Buffer.from(buffer))
    return new Int16Array(new Uint8Array(Buffer.concat(bytes)).buffer)
  }

  async until(what: string, count = 1): Promise<void> {
    await eventually(
      async () => this.of(what).length,
      (length) => length >= count,
      { what: `${count} × ${what} in ${JSON.stringify(this.events)}` },
    )
  }
}

async function heardBy(server: RealtimeServer, samples: number): Promise<void> {
  await eventually(
    async () => Promise.resolve(server.session.heard.length),
    (length) => length >= samples,
    { what: `${samples} samples at the provider` },
  )
}

describe('a model by the Realtime protocol', () => {
  let server: RealtimeServer
  let models: RealtimeModel[]
  let logged: string[]

  beforeEach(async () => {
    server = await RealtimeServer.start()
    models = []
    logged = []
  })

  afterEach(async () => {
    for (const model of models) model.close()
    await server.stop()
    expect(logged.join('')).not.to.include('test-key')
  })

  function modelOf(
    protocol: 'ga' | 'beta' = 'ga',
    { settings: own = {}, limits = {}, apiKey = 'test-key', baseUrl = server.baseUrl } = {},
  ) {
    const address = { baseUrl, apiKey, protocol, transcriptionModel: 'whisper-1' }
    const log = pino({}, { write: (line: string) => logged.push(line) })
    const model = new RealtimeModel(address, { ...settings, ...own }, log, { ...realtimeLimits, ...limits })
    models.push(model)
    return model
  }

  async function opened(...options: Parameters<typeof modelOf>): Promise<Told> {
    const model = modelOf(...options)
    const told = new Told(model)
    await model.open(new AbortController().signal)
    return told
  }

  async function failureOf(model: RealtimeModel, signal = new AbortController().signal) {
    const told = new Told(model)
    const error = await model.open(signal).then(
      () => expect.fail('it opened'),
      (problem: unknown) => problem as SpeechModelError,
    )
    expect(error.name).to.equal('SpeechModelError')
    expect(error.message).not.to.include('test-key')
    expect(told.events).to.deep.equal([])
    return error
  }

  /** Speaks a tone, and then is silent for as long as the server needs to notice. */
  function speak({ model }: Told, hz = 600, ms = 300, silentMs = 300) {
    for (let at = 0; at < ms / 20; at += 1) model.hear(tone(hz, frame, rate, 8000, at * frame))
    for (let at = 0; at < silentMs / 20; at += 1) model.hear(new Int16Array(frame))
  }

  it('does not hear its own voice when that comes back from the line, but the caller', async () => {
    const told = await opened()
    const greeting = spoken(
      'Hello, this is the shop. We open at nine in the morning, and close at six.',
      rate,
    )
    const delay = (rate * 150) / 1_000
    const echo = Int16Array.from(greeting, (_, at) => Math.round((greeting[at - delay] ?? 0) / 3))
    // The thread that judges sound has started when a stream of it is open.
    const stream = await soundAnalysis.open(rate, {
      judged: () => undefined,
      cleaned: () => undefined,
      failed: () => undefined,
    })
    stream.close()
    const played = framesOf(greeting, rate)
    for (const [index, heard] of framesOf(echo, rate).entries()) {
      told.model.hear(heard, played[index])
      if (index % 25 === 24) await heardBy(server, (index + 1) * frame)
    }
    expect(told.of('callerSpeaks')).to.deep.equal([])
    const caller = framesOf(spoken('Wait a moment, please.', rate, 'en-us+f3'), rate)
    for (const heard of caller.slice(0, 40)) told.model.hear(heard)
    await told.until('callerSpeaks')
  })

  for (const protocol of ['ga', 'beta'] as const) {
    describe(`in the words of ${protocol}`, () => {
      afterEach(() => expect(server.violations).to.deep.equal([]))

      it('has its settings taken', async () => {
        await opened(protocol)
        const { session } = server
        expect(session.protocol).to.equal(protocol)
        expect(session.model).to.equal('gpt-realtime')
        const { audio, temperature, voice, input_audio_transcription, tools } = session.settings
        expect(tools[0]).to.deep.include({ type: 'function', name: 'end_call' })
        expect(session.turnDetection).to.deep.include({ create_response: true, interrupt_response: true })
        if (protocol === 'ga') {
          expect(audio.input.transcription).to.deep.equal({ model: 'whisper-1', language: 'de' })
          expect(audio.input.noise_reduction).to.deep.equal({ type: 'near_field' })
          expect(audio.output.voice).to.equal('marin')
          expect(temperature).to.equal(undefined)
        } else {
          expect(temperature).to.equal(1.2)
          expect(voice).to.equal('marin')
          expect(input_audio_transcription).to.deep.equal({ model: 'whisper-1', language: 'de' })
        }
      })

      it('has its turns taken as a version sets them', async () => {
        await opened(protocol)
        const answers = { create_response: true, interrupt_response: true }
        const usual = { type: 'server_vad', silence_duration_ms: 500, ...answers }
        expect(server.session.turnDetection).to.deep.equal(usual)
        const set = { ...usualTurns, threshold: 0.7, silenceMs: 900 }
        await opened(protocol, { settings: { turnDetection: set } })
        expect(server.session.turnDetection).to.deep.equal({
          ...usual,
          ...{ threshold: 0.7, silence_duration_ms: 900 },
        })
        const semantic = { ...set, type: 'semantic_vad', eagerness: 'low' } as const
        await opened(protocol, { settings: { turnDetection: semantic } })
        const expected = { type: 'semantic_vad', eagerness: 'low', ...answers }
        expect(server.session.turnDetection).to.deep.equal(expected)
      })

      it('has them taken by silence where the server has no semantic turns', async () => {
        server.hasSemanticTurns = false
        const turnDetection = { ...usualTurns, type: 'semantic_vad', silenceMs: 700 } as const
        await opened(protocol, { settings: { turnDetection } })
        expect(server.session.turnDetection).to.deep.include({
          ...{ type: 'server_vad', silence_duration_ms: 700 },
        })
        expect(logged.join('')).to.include('semantic')
      })

      it('leaves to the server what the version does not ask for', async () => {
        const own = { voiceId: null, noiseReduction: false, language: null, tools: [] }
        await opened(protocol, { settings: own })
        expect(JSON.stringify(server.session.settings)).not.to.match(/voice|noise|language/)
      })

      it('hears the caller, and is heard, with words on both sides', async () => {
        server.callerWords.push('A loaf of bread')
        server.answers.push({ text: 'With pleasure.', hz: 900 })
        const told = await opened(protocol)
        speak(told)
        await told.until('responded')
        expect(toneLevel(server.session.heard, 600, rate)).to.be.above(0.9)
        expect(told.samples.length).to.equal(rate)
        expect(toneLevel(told.samples, 900, rate)).to.be.above(0.9)
        expect(told.of('heard')[0]?.[0]).to.equal('A loaf of bread')
        expect(told.said).to.deep.equal(['With pleasure.'])
        expect(told.of('audioDone')).to.deep.equal([[told.item]])
        const order = told.events.map(([name]) => name).filter((name) => name !== 'usage')
        expect(order.slice(0, 3)).to.deep.equal(['callerSpeaks', 'callerPauses', 'heard'])
        expect(order.at(-1)).to.equal('responded')
        const [transcription, response] = told.of('usage').map(([used]) => used as Partial<SpeechUsage>)
        expect(transcription).to.deep.equal({ transcribedSeconds: 1 })
        expect(response!.inputAudioTokens).to.be.within(4, 6)
        expect({ ...response, inputAudioTokens: 5 }).to.deep.equal({
          ...{ inputTextTokens: 20, inputAudioTokens: 5, cachedTokens: 8 },
          ...{ outputTextTokens: 2, outputAudioTokens: 20 },
        })
      })

      it('says a text as it stands, reads, and speaks by itself, one after the other', async () => {
        const told = await opened(protocol)
        server.answer = ({ callerText, asked }) => ({
          text: `${callerText}|${asked?.instructions ?? 'as ever'}`,
          ms: 200,
        })
        told.model.say('Good morning.\n\nBakery Meier.')
        told.model.read('Are you open?')
        told.model.respond('Ask whether they are still there.')
        await told.until('said', 3)
        expect(told.said).to.deep.equal([
          'Good morning.\n\nBakery Meier.',
          'Are you open?|as ever',
          `Are you open?|${settings.instructions}\n\nAsk whether they are still there.`,
        ])
        await told.until('responded', 3)
        // What was said as it stands is of the conversation.
        expect(server.session.items.map(({ role }) => role)).to.deep.equal([
          ...['assistant', 'user', 'assistant', 'assistant'],
        ])
        expect(server.session.errors).to.deep.equal([])
      })

      it('goes on where a conversation was', async () => {
        const history = [
          { speaker: 'caller' as const, text: 'Are you open?' },
          { speaker: 'voice_agent' as const, text: 'Until six.' },
        ]
        const told = await opened(protocol, { settings: { history } })
        told.model.instruct('The caller pressed 5.')
        await eventually(
          async () => server.session.items,
          ({ length }) => length === 3,
        )
        const type = protocol === 'ga' ? 'output_text' : 'text'
        expect(server.session.items.map(({ role, content }) => [role, content])).to.deep.equal([
          ['user', [{ type: 'input_text', text: 'Are you open?' }]],
          ['assistant', [{ type, text: 'Until six.' }]],
          ['system', [{ type: 'input_text', text: 'The caller pressed 5.' }]],
        ])
      })

      it('calls tools, and goes on with their answers', async () => {
        const calls = [
          { name: 'look_up', arguments: { of: 'bread' } },
          { name: 'count', arguments: {} },
        ]
        server.answers.push({ text: 'Let me see.', ms: 100, calls })
        server.answer = ({ toolAnswers }) => ({ text: toolAnswers.join(' and '), ms: 100 })
        const told = await opened(protocol)
        told.model.read('Is there any bread?')
        await told.until('toolCall', 2)
        const [first, second] = told.of('toolCall').map(([call]) => call as ToolCall)
        expect(first).to.deep.include({ name: 'look_up', arguments: '{"of":"bread"}' })
        expect(second).to.deep.include({ name: 'count', arguments: '{}' })
        told.model.answerTool(first!.id, 'yes', false)
        told.model.answerTool(second!.id, 'three', false)
        await told.until('said', 2)
        expect(told.said).to.deep.equal(['Let me see.', 'yes and three'])
        await eventually(
          async () => server.session.responses,
          ({ length }) => length === 2,
        )
      })

      it('answers by text where nobody listens', async () => {
        const told = await opened(protocol, { settings: { textOnly: true } })
        told.model.say('Good morning.')
        told.model.read('Are you open?')
        await told.until('responded', 2)
        expect(told.said).to.deep.equal(['Good morning.', 'I hear you.'])
        expect(told.sound.length).to.equal(0)
      })

      it('goes on once with tools that are answered at once, and not when one of them is the last', async () => {
        const calls = ['look_up', 'count'].map((name) => ({ name, arguments: {} }))
        server.answers.push({ calls }, { text: 'Yes, three.', ms: 100 }, { calls })
        const told = await opened(protocol)
        let isEnd = false
        told.model.on('toolCall', ({ id, name }) => told.model.answerTool(id, 'x', isEnd && name === 'count'))
        told.model.read('Is there bread?')
        await told.until('responded', 2)
        isEnd = true
        told.model.read('Then goodbye.')
        await told.until('toolCall', 4)
        told.model.say('Goodbye.')
        await told.until('responded', 4)
        expect(told.said).to.deep.equal(['Yes, three.', 'Goodbye.'])
        expect(server.session.responses.length).to.equal(4)
      })

      it('does not go on behind the last tool', async () => {
        server.answers.push({ calls: [{ name: 'end_call', arguments: {} }] })
        const told = await opened(protocol)
        told.model.read('Bye.')
        await told.until('responded')
        const [call] = told.of('toolCall')[0] as [ToolCall]
        told.model.answerTool(call.id, 'done', true)
        told.model.say('Goodbye.')
        await told.until('said')
        expect(told.said).to.deep.equal(['Goodbye.'])
        expect(server.session.responses.length).to.equal(2)
      })

      it('stops when the caller interrupts, and knows how much they have heard', async () => {
        server.answers.push({ text: 'A very long story.', ms: 60_000 })
        const told = await opened(protocol)
        told.model.on('callerSpeaks', () => told.model.interrupt(told.item || null, 300))
        told.model.say('')
        await eventually(
          async () => told.samples.length,
          (length) => length > rate,
        )
        speak(told)
        await told.until('responded', 2)
        expect(server.session.responses).to.deep.equal(['cancelled', 'completed'])
        expect(server.session.truncated.map(({ audio_end_ms }) => audio_end_ms)).to.deep.equal([300])
        expect(told.said).to.deep.equal(['A very long story.', 'I hear you.'])
        // That it had stopped by itself is no fault.
        const codes = server.session.errors.map(({ code }) => code)
        expect(codes.filter((code) => code !== 'response_cancel_not_active')).to.deep.equal([])
        expect(told.failure).to.equal(undefined)
      })
    })
  }

  it('understands the newer names where it speaks the older ones, and knows events that it needs not', async () => {
    const told = await opened('beta')
    const { session } = server
    const place = { item_id: 'item_x', content_index: 0, response_id: 'resp_x' }
    const raw = (type: string, fields: object = {}) =>
      session.sendRaw(JSON.stringify({ event_id: 'e', type, ...place, ...fields }))
    raw('response.created', { response: { id: 'resp_x' } })
    raw('something.from.next_year', { delta: 5 })
    raw('response.output_audio.delta', {
      delta: Buffer.from(new Int16Array([1, 2, 3]).buffer).toString('base64'),
    })
    raw('response.output_text.delta', { delta: 'Only ' })
    raw('response.output_text.delta', { delta: 'pieces.' })
    raw('response.done', { response: { id: 'resp_x', status: 'completed' } })
    await told.until('responded')
    expect([...told.samples]).to.deep.equal([1, 2, 3])
    expect(told.said).to.deep.equal(['Only pieces.'])
    expect(told.of('audioDone')).to.deep.equal([['item_x']])
  })

  it('is not upset by events whose fields are anything', async () => {
    const told = await opened()
    const names = [
      ...['error', 'session.created', 'session.updated', 'response.created', 'response.done'],
      ...['response.output_audio.delta', 'response.output_audio.done', 'response.output_text.delta'],
      ...['response.output_text.done', 'response.output_item.added', 'response.output_item.done'],
      ...['response.function_call_arguments.done', 'input_audio_buffer.speech_started', 'constructor'],
      'conversation.item.input_audio_transcription.completed',
    ]
    const value = fc.oneof(
      ...[fc.jsonValue(), fc.constant('function_call'), fc.constant('aGk='), fc.constant('failed-no-more')],
    )
    const fields = ['item', 'item_id', 'delta', 'response', 'call_id', 'name', 'arguments', 'usage', 'error']
    const events = fc.sample(
      fc.tuple(fc.constantFrom(...names), fc.dictionary(fc.constantFrom(...fields), value)),
      { numRuns: 500, seed: 7 },
    )
    for (const [type, sent] of events) server.session.sendRaw(JSON.stringify({ ...sent, type }))
    for (const sent of ['null', '5', '[]', '{}', '"text"']) server.session.sendRaw(sent)
    server.session.send('response.output_audio_transcript.done', {
      item_id: 'last',
      transcript: 'Still here.',
    })
    await eventually(
      async () => told.said,
      (said) => said.includes('Still here.'),
    )
  })

  it('joins samples that were sent in halves', async () => {
    const told = await opened()
    const bytes = Buffer.from(new Int16Array([100, -200, 300]).buffer)
    for (const part of [
      bytes.subarray(0, 1),
      bytes.subarray(1, 2),
      bytes.subarray(2, 5),
      bytes.subarray(5),
    ]) {
      server.session.send('response.output_audio.delta', { item_id: 'i', delta: part.toString('base64') })
    }
    await eventually(
      async () => told.samples.length,
      (length) => length === 3,
    )
    expect([...told.samples]).to.deep.equal([100, -200, 300])
  })

  it('interrupts what it has asked for and has not begun', async () => {
    server.answers.push({ text: 'Too late.', thinkMs: 60_000, ms: 5_000 })
    const told = await opened()
    told.model.say('x')
    told.model.interrupt(null, 0)
    await told.until('responded')
    expect(server.session.responses).to.deep.equal(['cancelled'])
    expect(told.sound.length).to.equal(0)
  })

  it('bridges a tool that takes long, and then goes on with its answer', async () => {
    server.answers.push({ calls: [{ name: 'look_up', arguments: {} }] })
    server.answer = ({ toolAnswers, asked }) =>
      asked === null ? { text: `answer ${toolAnswers.join()}`, ms: 100 } : { text: 'unasked' }
    const told = await opened()
    told.model.read('Look it up.')
    await told.until('responded')
    const [call] = told.of('toolCall')[0] as [ToolCall]
    told.model.bridge('One moment, please.')
    await told.until('said')
    told.model.answerTool(call.id, 'found', false)
    await told.until('said', 2)
    expect(told.said[0]).to.equal('One moment, please.')
    expect(String(told.said[1])).to.match(/^answer/)
    expect(server.violations).to.deep.equal([])
  })

  it('does not run a tool whose call was cut off', async () => {
    const told = await opened()
    const item = { id: 'i', type: 'function_call', call_id: 'c', name: 'end_call', arguments: '{"a' }
    const { session } = server
    session.send('response.created', { response: { id: 'r' } })
    session.send('response.output_item.added', { item: { ...item, status: 'in_progress' } })
    session.send('response.function_call_arguments.done', { item_id: 'i', call_id: 'c', arguments: '{"a' })
    session.send('response.output_item.done', { item: { ...item, status: 'incomplete' } })
    session.send('response.done', { response: { id: 'r', status: 'cancelled', output: [item] } })
    await told.until('responded')
    expect(told.of('toolCall')).to.deep.equal([])
  })

  it('asks again when the server has begun to answer the caller at the same moment', async () => {
    const told = await opened()
    server.answers.push({ text: 'The answer to the caller.', ms: 300 })
    server.session.respond(null)
    told.model.say('And this.')
    await told.until('said', 2)
    expect(told.said).to.deep.equal(['The answer to the caller.', 'And this.'])
    expect(server.violations).to.deep.equal([])
  })

  it('lets the caller finish before it goes on with a tool, and then answers once', async () => {
    server.answers.push({ calls: [{ name: 'look_up', arguments: {} }] })
    server.answer = ({ toolAnswers }) => ({ text: `answer ${toolAnswers.join()}`, ms: 100 })
    const told = await opened()
    told.model.read('Look it up.')
    await told.until('responded')
    const [call] = told.of('toolCall')[0] as [ToolCall]
    speak(told, 600, 300, 0)
    await told.until('callerSpeaks')
    told.model.answerTool(call.id, 'found', false)
    speak(told, 600, 20, 300)
    await told.until('responded', 2)
    expect(told.said).to.deep.equal(['answer found'])
    expect(server.session.responses.length).to.equal(2)
  })

  it('does not wait for an answer to noise that the server does not take for speech', async () => {
    const told = await opened('ga', { limits: { turnMs: 100 } })
    server.session.send('input_audio_buffer.speech_started', { item_id: 'i' })
    await told.until('callerSpeaks')
    told.model.respond(null)
    told.model.instruct('This comes behind it.')
    const { session } = server
    await eventually(
      async () => session.items,
      ({ length }) => length === 1,
    )
    expect(session.events.map(({ type }) => type)).not.to.include('response.create')
    session.send('input_audio_buffer.speech_stopped', { item_id: 'i' })
    await told.until('said')
  })

  it('outlives errors that are not the end, and tells the log of them', async () => {
    const told = await opened()
    const error = {
      type: 'server_error',
      code: 'hiccup',
      message: 'it hiccupped with test-key and sk-abc***def',
    }
    server.session.sendError(error)
    server.answers.push({ error: { type: 'server_error', code: 'busy' } })
    told.model.say('x')
    await told.until('responded')
    told.model.say('y')
    await told.until('said', 2)
    expect(told.said, 'what failed is asked for again').to.deep.equal(['x', 'y'])
    expect(logged.join('')).to.include('hiccupped').and.not.include('sk-abc')
  })

  describe('whose response fails', () => {
    const failures = [
      { type: 'server_error', code: '', message: 'The server had an error.' },
      { type: 'invalid_request_error', code: 'rate_limit_exceeded', message: 'Please try again in 20ms.' },
    ]
    for (const error of failures) {
      it(`has the caller answered all the same: ${error.code || error.type}`, async () => {
        const told = await opened('ga', { limits: { retryMs: 20 } })
        server.answers.push({ error }, { error }, { text: 'We open at eight.', ms: 100 })
        speak(told)
        await told.until('responded')
        expect(told.said).to.deep.equal(['We open at eight.'])
        expect(server.session.responses).to.deep.equal(['failed', 'failed', 'completed'])
        expect(told.of('responded'), 'once').to.have.length(1)
        expect(server.violations).to.deep.equal([])
      })
    }

    it('says again what it was to say, and puts nothing into the conversation twice', async () => {
      const told = await opened('ga', { limits: { retryMs: 20 } })
      server.answers.push({ error: failures[0]! })
      told.model.say('Good morning.')
      await told.until('responded')
      server.answers.push({ error: failures[0]! }, { text: 'Yes.' })
      told.model.read('Are you there?')
      await told.until('said', 2)
      expect(told.said).to.deep.equal(['Good morning.', 'Yes.'])
      expect(server.session.items.filter(({ role }) => role === 'user')).to.have.length(1)
    })

    it('is asked again after an error that names no request, while a response is awaited', async () => {
      const told = await opened('ga', { limits: { retryMs: 20, answerMs: 2_000 } })
      const { session } = server
      session.respond = () => {
        Reflect.deleteProperty(session, 'respond')
        session.sendError({ type: 'server_error', code: '', message: 'Internal error' })
      }
      told.model.respond('Ask whether they are there.')
      await told.until('said')
      expect(session.events.filter(({ type }) => type === 'response.create')).to.have.length(2)
      session.respond = () => {
        Reflect.deleteProperty(session, 'respond')
        session.sendError({ type: 'server_error', code: '', message: 'Internal error' })
      }
      await told.until('responded')
      speak(told)
      await told.until('said', 2)
      expect(server.violations).to.deep.equal([])
    })

    it('is not asked again for what the caller has interrupted meanwhile', async () => {
      const told = await opened('ga', { limits: { retryMs: 100 } })
      server.answers.push({ error: failures[0]! })
      told.model.say('Too late.')
      await eventually(
        async () => server.session.responses,
        ({ length }) => length === 1,
      )
      await eventually(
        async () => logged.join(''),
        (log) => log.includes('failed to answer'),
      )
      told.model.interrupt(null, 0)
      await told.until('responded')
      told.model.say('And now?')
      await told.until('said')
      expect(told.said).to.deep.equal(['And now?'])
    })

    it('is not asked again for what was heard in part', async () => {
      const told = await opened('ga', { limits: { retryMs: 5 } })
      const { session } = server
      session.send('response.created', { response: { id: 'r' } })
      const delta = Buffer.alloc(960).toString('base64')
      session.send('response.output_audio.delta', { item_id: 'i', content_index: 0, delta })
      const status_details = { error: failures[0]! }
      session.send('response.done', { response: { id: 'r', status: 'failed', status_details, output: [] } })
      await told.until('responded')
      told.model.say('Next.')
      await told.until('said')
      expect(session.events.filter(({ type }) => type === 'response.create')).to.have.length(1)
    })

    it('answers what the caller said where the server does not begin to', async () => {
      const told = await opened('ga', { limits: { turnMs: 100 } })
      const { session } = server
      session.send('input_audio_buffer.speech_started', { item_id: 'i' })
      session.send('input_audio_buffer.speech_stopped', { item_id: 'i' })
      session.send('conversation.item.input_audio_transcription.completed', {
        item_id: 'i',
        transcript: 'When do you open?',
      })
      await told.until('said')
      expect(told.said).to.deep.equal(['I hear you.'])
    })

    it('asks again where nothing was answered, and then says so in its language', async () => {
      const told = await opened('ga', { settings: { spokenLanguage: 'de' } })
      server.answers.push({}, {})
      told.model.read('Wann öffnen Sie?')
      await told.until('said')
      expect(told.said).to.deep.equal(['Entschuldigung, könnten Sie das bitte wiederholen?'])
      expect(logged.join('')).to.include('answered with nothing')
      expect(server.session.responses).to.have.length(3)
      expect(server.violations).to.deep.equal([])
    })
  })

  it('tells when a response that it asked for is refused', async () => {
    const told = await opened()
    const { session } = server
    server.answer = () => ({ text: 'x', thinkMs: 60_000 })
    session.respond(null)
    told.model.say('And this.')
    session.sendError({
      type: 'invalid_request_error',
      code: 'invalid_value',
      message: 'no',
      event_id: 'response',
    })
    session.close(1001)
    await told.until('failed')
    expect(told.failure?.kind).to.equal('closed')
  })

  describe('that is of no use', () => {
    it('is refused by its key', async () => {
      const error = await failureOf(modelOf('ga', { apiKey: 'sk-wrong' }))
      expect(error.kind).to.equal('refused')
      expect(error.message).to.include('401').and.not.include('sk-wrong')
    })

    it('is refused by the name of the model', async () => {
      await server.stop()
      server = await RealtimeServer.start({ models: ['another'] })
      const error = await failureOf(modelOf('ga', { apiKey: 'test-key', baseUrl: server.baseUrl }))
      expect(error.kind).to.equal('refused')
      expect(error.message).to.include('gpt-realtime')
    })

    it('is refused by its settings', async () => {
      server.refusesSettings = 'no such voice'
      const error = await failureOf(modelOf())
      expect(error.kind).to.equal('refused')
      expect(error.message).to.include('no such voice')
    })

    it('has a bad address', async () => {
      for (const baseUrl of ['nonsense', 'ftp://127.0.0.1/v1', `${server.baseUrl}x/realtime`]) {
        expect((await failureOf(modelOf('ga', { baseUrl }))).kind, baseUrl).to.equal('refused')
      }
    })

    it('is down, or ill', async () => {
      server.handshake = 503
      expect((await failureOf(modelOf())).kind).to.equal('unreachable')
      const { baseUrl } = server
      await server.stop()
      expect((await failureOf(modelOf('ga', { baseUrl }))).kind).to.equal('unreachable')
      server = await RealtimeServer.start()
    })

    it('is not ready in time: at the handshake, and behind it', async () => {
      for (const handshake of ['hangs', 'mute'] as const) {
        server.handshake = handshake
        const limit = new AbortController()
        setTimeout(() => limit.abort(), 100)
        expect((await failureOf(modelOf(), limit.signal)).kind).to.equal('slow')
      }
      expect((await failureOf(modelOf(), AbortSignal.abort())).kind).to.equal('slow')
    })

    it('is closed while it opens', async () => {
      server.handshake = 'mute'
      const model = modelOf()
      setTimeout(() => model.close(), 50)
      expect((await failureOf(model)).kind).to.equal('closed')
    })

    const ends: [string, string, (server: RealtimeServer) => void][] = [
      ['closes', 'closed', ({ session }) => session.close()],
      ['is cut off', 'unreachable', ({ session }) => session.drop()],
      ['has come to its longest duration', 'closed', ({ session }) => session.expire()],
      ['sends no JSON', 'protocol', ({ session }) => session.sendRaw('hello')],
      ['sends too much', 'protocol', ({ session }) => session.sendRaw(`"${'x'.repeat(5_000_000)}"`)],
      [
        'has no money any more',
        'refused',
        ({ session }) =>
          session.sendError({ type: 'insufficient_quota', code: 'insufficient_quota', message: 'pay' }),
      ],
    ]
    for (const [what, kind, end] of ends) {
      it(`${what} in the middle of a conversation`, async () => {
        const told = await opened()
        end(server)
        await told.until('failed')
        expect(told.failure?.kind).to.equal(kind)
        told.model.say('x')
        told.model.hear(new Int16Array(frame))
        told.model.interrupt('x', 5)
        told.model.close()
        await eventually(
          async () => server.session.closed,
          (closed) => closed !== null,
        )
        expect(told.of('failed').length).to.equal(1)
      })
    }

    it('does not answer', async () => {
      const told = await opened('ga', { limits: { answerMs: 200 } })
      server.answers.push({ text: 'x', thinkMs: 60_000 })
      told.model.say('x')
      await told.until('failed')
      expect(told.failure?.kind).to.equal('slow')
    })

    it('fails to answer again and again', async () => {
      const told = await opened('ga', { limits: { retryMs: 5 } })
      server.answer = () => ({ error: { type: 'server_error', code: 'busy' } })
      told.model.read('x')
      told.model.read('y')
      await told.until('failed')
      expect(told.failure?.kind).to.equal('closed')
      expect(server.session.responses, 'three times more, and then not').to.deep.equal(
        Array.from({ length: 4 }, () => 'failed'),
      )
    })

    it('gives no sign of life', async () => {
      const told = await opened('ga', { limits: { pingMs: 100 } })
      server.session.stall()
      await told.until('failed')
      expect(told.failure?.kind).to.equal('unreachable')
    })

    it('takes nothing in: no more of it is kept than the limit', async () => {
      const told = await opened()
      server.session.stall()
      const sound = new Int16Array(24_000)
      for (let sent = 0; sent < 2_000 && !told.failure; sent += 1) told.model.hear(sound)
      expect(told.failure?.kind).to.equal('slow')
    })

    it('is quiet once it is closed', async () => {
      const told = await opened()
      server.answer = () => ({ text: 'x', ms: 5_000 })
      told.model.read('x')
      await eventually(
        async () => told.sound.length,
        (length) => length > 0,
      )
      told.model.close()
      const { length } = told.events
      await eventually(
        async () => server.session.closed,
        (closed) => closed?.code === 1000,
      )
      expect(told.events.length).to.equal(length)
    })
  })
})
