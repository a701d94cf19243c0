/** A speech model made of speech to text, chat and text to speech, against a strict server of all three. */
import { once } from 'node:events'
import { expect } from 'chai'
import { CascadedModel } from '../../src/adapters/speech/cascaded/cascaded-model.js'
import type { CascadedDeadlines } from '../../src/adapters/speech/cascaded/services.js'
import { SpeechModelError, type SpeechSettings } from '../../src/adapters/speech/speech-model.js'
import { eventually } from '../support/api-client.js'
import { Listening, key, rate, services, usual } from '../support/cascaded-caller.js'
import { type Endpoint, type Failure, OpenAiHttpServer } from '../support/openai-http.js'
import { holds, speech } from '../support/spoken.js'
import { tone, toneLevel } from '../support/tone.js'

let server: OpenAiHttpServer
let models: Listening[]

function make(settings: Partial<SpeechSettings> = {}, deadlines?: CascadedDeadlines): Listening {
  const listening = new Listening(new CascadedModel(services(server), { ...usual, ...settings }, deadlines))
  models.push(listening)
  return listening
}

async function opened(
  settings: Partial<SpeechSettings> = {},
  deadlines?: CascadedDeadlines,
): Promise<Listening> {
  const listening = make(settings, deadlines)
  await listening.model.open(new AbortController().signal)
  return listening
}

const impatient: CascadedDeadlines = {
  check: { silenceMs: 1_000, wholeMs: 1_500 },
  speechToText: { silenceMs: 1_000, wholeMs: 1_500 },
  chat: { silenceMs: 1_000, wholeMs: 1_500 },
  textToSpeech: { silenceMs: 1_000, wholeMs: 1_500 },
}

const lastMessages = () => server.chats.at(-1)!.messages.map(({ role, content }) => [role, content])

describe('cascaded speech model', () => {
  beforeEach(async () => {
    models = []
    server = new OpenAiHttpServer(key)
    await server.start()
  })

  afterEach(async () => {
    for (const { model } of models) model.close()
    expect(server.violations).to.deep.equal([])
    await eventually(
      async () => server.connections(),
      (count) => count === 0,
      { what: 'no connection left' },
    )
    await server.stop()
  })

  it('hears the caller, answers, and is heard', async () => {
    const caller = await opened()
    server.transcripts.push(' What are\n your hours?\n')
    server.answers.push({ text: 'We open at nine. We close at five in the evening.' })
    server.toneOf = (text) => (text.startsWith('We open') ? 500 : 900)
    caller.hear(1_000)
    await caller.until('responded')
    expect(caller.events.slice(0, 3)).to.deep.equal(['callerSpeaks', 'callerPauses', 'heard'])
    expect(caller.events.slice(-2)).to.deep.equal(['audioDone', 'responded'])
    expect(caller.heard).to.deep.equal(['What are your hours?'])
    expect(caller.said).to.deep.equal(['We open at nine. We close at five in the evening.'])
    const [file] = server.heard
    expect(holds(file!.samples, speech(1_000, file!.rate))).to.be.above(0.9)
    expect([file!.model, file!.language]).to.deep.equal(['whisper-house', 'en'])
    expect(server.spoken.map(({ input, voice }) => [input, voice])).to.deep.equal([
      ['We open at nine.', 'af_heart'],
      ['We close at five in the evening.', 'af_heart'],
    ])
    const [sound, first] = [caller.sound(), 16 * server.msPerCharacter * 24]
    expect(sound.length).to.equal((16 + 32) * server.msPerCharacter * 24)
    expect(toneLevel(sound.subarray(0, first), 500, rate)).to.be.above(0.95)
    expect(toneLevel(sound.subarray(first), 900, rate)).to.be.above(0.95)
    const [chat] = server.chats
    expect([chat!.model, chat!.temperature]).to.deep.equal(['llama-house', 0.8])
    expect(chat!.tools![0]!.function.name).to.equal('find_order')
    expect(lastMessages()[0]![1]).to.contain('clerk of a bakery')
    expect(lastMessages().slice(1)).to.deep.equal([['user', 'What are your hours?']])
    expect(caller.used.transcribedSeconds).to.be.within(1.2, 1.7)
    expect(caller.used.spokenCharacters).to.equal(48)
    expect(caller.used.inputTextTokens).to.be.above(10)
    expect(caller.used.cachedTokens).to.equal(8)
  })

  it('speaks the first sentence while the chat goes on', async () => {
    const caller = await opened()
    server.answers.push({
      text: 'This is the first sentence. ' + 'And it goes on and on. '.repeat(20),
      msBetween: 10,
    })
    caller.model.respond(null)
    await caller.until('audio')
    expect(caller.said).to.deep.equal([])
    await caller.until('responded')
    expect(caller.said).to.have.length(1)
  })

  it('goes on from what was said before', async () => {
    const history = [
      { speaker: 'voice_agent', text: 'Good morning.' },
      { speaker: 'caller', text: 'I want bread.' },
    ] as const
    const caller = await opened({ history })
    caller.model.instruct('The caller has pressed 5.')
    caller.model.respond('Ask which bread.')
    await caller.until('responded')
    expect(lastMessages().slice(1)).to.deep.equal([
      ['assistant', 'Good morning.'],
      ['user', 'I want bread.'],
      ['system', 'The caller has pressed 5.'],
      ['system', 'Ask which bread.'],
    ])
  })

  it('says exactly what it is given, after what is being said', async () => {
    const caller = await opened({ voiceId: 'bm_george' })
    caller.model.say('Welcome to the bakery!')
    caller.model.say('Goodbye.')
    await caller.until('responded', 2)
    expect(caller.said).to.deep.equal(['Welcome to the bakery!', 'Goodbye.'])
    const once = ['audio', 'said', 'audioDone', 'responded']
    expect(caller.events).to.deep.equal([...once, ...once])
    expect(server.spoken.map(({ input }) => input)).to.deep.equal(['Welcome to the bakery!', 'Goodbye.'])
    expect(server.spoken[0]!.voice).to.equal('bm_george')
    expect(server.chats).to.deep.equal([])
    caller.model.respond(null)
    await caller.until('responded', 3)
    expect(lastMessages().slice(1)).to.deep.equal([
      ['assistant', 'Welcome to the bakery!'],
      ['assistant', 'Goodbye.'],
    ])
  })

  it('asks again where nothing was answered, and then says so in its language', async () => {
    const caller = await opened({ spokenLanguage: 'fr' })
    server.answers.push({ text: '' }, { text: 'À huit heures.' })
    caller.model.read('À quelle heure ?')
    await caller.until('responded')
    expect(caller.said).to.deep.equal(['À huit heures.'])
    server.answers.push({ text: ' ' }, { text: '' })
    caller.model.read('Et demain ?')
    await caller.until('responded', 2)
    expect(caller.said.at(-1)).to.equal('Pardon, pourriez-vous répéter ?')
    expect(server.chats).to.have.length(4)
    server.answers.push({ text: 'Demain aussi.' })
    caller.model.read('Demain ?')
    await caller.until('responded', 3)
    expect(caller.said.at(-1)).to.equal('Demain aussi.')
  })

  it('calls tools, and goes on with their answers', async () => {
    const caller = await opened()
    const toolCalls = [
      { name: 'find_order', arguments: { number: 7 } },
      { name: 'find_order', arguments: { number: 8 } },
    ]
    server.answers.push({ text: 'One moment, please.', toolCalls }, { text: 'They are both ready for you.' })
    caller.model.read('Where are orders 7 and 8?')
    await caller.until('toolCall', 2)
    expect(caller.calls.map((call) => JSON.parse(call.arguments))).to.deep.equal([
      { number: 7 },
      { number: 8 },
    ])
    caller.model.answerTool(caller.calls[1]!.id, '{"state":"baked"}', false)
    caller.model.answerTool('unknown', '{}', false)
    await caller.until('responded')
    expect(server.chats).to.have.length(1)
    caller.model.answerTool(caller.calls[0]!.id, '{"state":"packed"}', false)
    await caller.until('responded', 2)
    expect(server.chats).to.have.length(2)
    expect(server.chats[1]!.messages.slice(2)).to.deep.equal([
      {
        ...{ role: 'assistant', content: 'One moment, please.' },
        tool_calls: caller.calls.map(({ id, name, arguments: given }) => ({
          ...{ id, type: 'function', function: { name, arguments: given } },
        })),
      },
      { role: 'tool', tool_call_id: caller.calls[0]!.id, content: '{"state":"packed"}' },
      { role: 'tool', tool_call_id: caller.calls[1]!.id, content: '{"state":"baked"}' },
    ])
    expect(caller.said.at(-1)).to.equal('They are both ready for you.')
  })

  it('bridges a tool that takes long, and answers as though nothing had been said', async () => {
    const caller = await opened()
    server.answers.push(
      { toolCalls: [{ name: 'find_order', arguments: { number: 4 } }] },
      { text: 'It is ready.' },
    )
    caller.model.read('Is order four ready?')
    await caller.until('responded')
    caller.model.bridge('One moment, please.')
    await caller.until('responded', 2)
    caller.model.answerTool(caller.calls[0]!.id, '{"ready":true}', false)
    await caller.until('responded', 3)
    expect(caller.said).to.deep.equal(['One moment, please.', 'It is ready.'])
    expect(lastMessages().at(-1), 'the chat goes on from the tool').to.deep.equal(['tool', '{"ready":true}'])
  })

  it('says nothing after the last answer of a tool', async () => {
    const caller = await opened()
    server.answers.push({ toolCalls: [{ name: 'find_order', arguments: {} }] })
    caller.model.respond(null)
    await caller.until('responded')
    caller.model.answerTool(caller.calls[0]!.id, '{}', true)
    caller.model.instruct('The call has been transferred.')
    caller.model.say('Goodbye.')
    await caller.until('responded', 2)
    expect(server.chats).to.have.length(1)
  })

  it('lets a model that calls tools for ever call no more of them', async () => {
    const caller = await opened()
    server.answering = ({ tool_choice }) =>
      tool_choice === 'none' ? { text: 'I give up.' } : { toolCalls: [{ name: 'find_order', arguments: {} }] }
    caller.model.on('toolCall', ({ id }) => caller.model.answerTool(id, '{}', false))
    caller.model.read('Hello?')
    await caller.until('said')
    expect(caller.said).to.deep.equal(['I give up.'])
    expect(caller.calls).to.have.length(8)
  })

  it('stops at once when it is interrupted, and knows what was heard', async () => {
    const caller = await opened()
    server.answers.push({
      text: 'This is the first sentence. ' + 'This is another of them. '.repeat(100),
      msBetween: 5,
    })
    caller.model.on('callerSpeaks', () => caller.model.interrupt([...caller.audio.keys()][0]!, 700))
    caller.model.respond(null)
    await eventually(
      async () => server.spoken.length,
      (count) => count >= 3,
      { what: 'a third sentence' },
    )
    server.transcripts.push('Stop, please.')
    server.answers.push({ text: 'Of course. What else can I do?' })
    caller.hear(400)
    await caller.until('responded', 2)
    expect(server.aborted).to.be.at.least(1)
    expect(server.spoken.length).to.be.below(20)
    expect(caller.audio.size).to.equal(2)
    expect(caller.said).to.have.length(2)
    expect(caller.said[0]).to.match(/^This is the first sentence\. This is another/)
    // 27 characters of 20 ms were heard whole, and of the next sentence the first words.
    expect(lastMessages().slice(1)).to.deep.equal([
      ['assistant', 'This is the first sentence. This is'],
      ['user', 'Stop, please.'],
    ])
  })

  it('forgets what was not heard, also when all of it had been made', async () => {
    const caller = await opened()
    caller.model.say('You cannot have heard this.')
    await caller.until('responded')
    caller.model.interrupt([...caller.audio.keys()][0]!, 0)
    caller.model.respond(null)
    await caller.until('responded', 2)
    expect(lastMessages()).to.have.length(1)
  })

  it('answers once, when the caller goes on before they are answered', async () => {
    const caller = await opened()
    server.delays.chat = 300
    server.transcripts.push('I want bread.', 'And cake.')
    caller.hear(500)
    await eventually(
      async () => server.requests.filter((one) => one.includes('chat')).length,
      (count) => count === 1,
      { what: 'a chat' },
    )
    caller.hear(500)
    await caller.until('said')
    await caller.until('responded', 2)
    expect(caller.said).to.have.length(1)
    expect(lastMessages().slice(1)).to.deep.equal([['user', 'I want bread.\nAnd cake.']])
  })

  it('goes on when what interrupted it was nothing', async () => {
    const caller = await opened()
    caller.model.on('callerSpeaks', () => caller.model.interrupt([...caller.audio.keys()][0] ?? null, 500))
    for (const [index, nothing] of ['', '[BLANK_AUDIO]'].entries()) {
      caller.model.say('A sentence that is to be heard.')
      await caller.until('responded', index * 2 + 1)
      server.transcripts.push(nothing)
      caller.hear(400)
      await caller.until('responded', index * 2 + 2)
      expect(lastMessages().at(-1)![0]).to.equal('system')
      expect(lastMessages().at(-1)![1]).to.contain('nothing was understood')
    }
    caller.model.say('A sentence that is to be heard.')
    await caller.until('responded', 5)
    caller.hear(100)
    await caller.until('responded', 6)
    expect(server.heard).to.have.length(2)
    expect(caller.heard).to.deep.equal([])
  })

  it('does not speak up for a sound that nobody interrupted it with', async () => {
    const caller = await opened()
    server.transcripts.push('')
    caller.hear(100)
    caller.hear(500)
    await eventually(
      async () => server.heard.length,
      (count) => count === 1,
      { what: 'what was heard' },
    )
    caller.model.say('Are you still there?')
    await caller.until('responded')
    expect(server.chats).to.deep.equal([])
    expect(caller.count('callerPauses')).to.equal(2)
  })

  it('asks a tool while the caller speaks, and answers both together', async () => {
    const caller = await opened()
    server.answers.push({ toolCalls: [{ name: 'find_order', arguments: {} }] })
    caller.model.respond(null)
    await caller.until('responded')
    caller.hear(400, 0)
    await caller.until('callerSpeaks')
    caller.model.answerTool(caller.calls[0]!.id, '{"state":"baked"}', false)
    server.transcripts.push('Have you found it?')
    caller.hear(100)
    await caller.until('responded', 2)
    expect(server.chats).to.have.length(2)
    expect(lastMessages().slice(-2)).to.deep.equal([
      ['tool', '{"state":"baked"}'],
      ['user', 'Have you found it?'],
    ])
  })

  it('reads and writes when there is to be no sound', async () => {
    const caller = await opened({ textOnly: true })
    caller.model.say('Good morning.')
    caller.model.read('Do you have rye bread?')
    caller.hear(500)
    await caller.until('responded', 2)
    expect(caller.said).to.deep.equal(['Good morning.', 'Yes. I see.'])
    expect(server.requests).to.deep.equal(['GET /v1/models', 'POST /v1/chat/completions'])
    expect(caller.events).to.not.include('audio')
  })

  it('takes a WAV file, and samples of another rate, for speech', async () => {
    for (const [speechAs, pcmRate] of [
      [{ format: 'wav', rate: 22_050 }, 24_000],
      [{ format: 'pcm', rate: 22_050 }, 22_050],
      [{ format: 'pcm', rate: 16_000 }, 16_000],
    ] as const) {
      server.speechAs = speechAs
      const caller = new Listening(new CascadedModel(services(server, { pcmRate }), usual))
      models.push(caller)
      await caller.model.open(new AbortController().signal)
      caller.model.say('Twenty five characters ok')
      await caller.until('responded')
      const sound = caller.sound()
      expect(sound.length / rate).to.be.closeTo((25 * server.msPerCharacter) / 1_000, 0.002)
      expect(toneLevel(sound, 600, rate)).to.be.above(0.97)
    }
  })

  it('uses its connections again', async () => {
    const caller = await opened()
    for (const round of [1, 2, 3]) {
      caller.model.read('Hello?')
      await caller.until('responded', round)
    }
    expect(await server.connections()).to.be.at.most(3)
  })

  describe('when a service fails', () => {
    const openKind = async (listening: Listening, signal = new AbortController().signal) =>
      listening.model.open(signal).then(
        () => null,
        (error: unknown) => {
          expect(error).to.be.instanceOf(SpeechModelError)
          expect((error as Error).message).to.not.contain(key)
          return (error as SpeechModelError).kind
        },
      )

    it('does not open without it', async () => {
      for (const [failure, kind] of [
        ['down', 'unreachable'],
        ['silent', 'slow'],
        [{ status: 401, message: `wrong key ${key}` }, 'refused'],
        [{ status: 403 }, 'refused'],
        [{ status: 500 }, 'unreachable'],
        [{ status: 404 }, null],
        [{ status: 405 }, null],
      ] as const) {
        server.fail('models', failure, Infinity)
        expect(await openKind(make({}, impatient)), JSON.stringify(failure)).to.equal(kind)
        server.recover()
      }
      await server.stop()
      expect(await openKind(make())).to.equal('unreachable')
      await server.start()
    })

    it('opens no more when it is given up, or closed', async () => {
      server.fail('models', 'silent', Infinity)
      const caller = make()
      const limit = new AbortController()
      const open = openKind(caller, limit.signal)
      limit.abort()
      expect(await open).to.equal('slow')
      const closed = make()
      const opening = openKind(closed)
      closed.model.close()
      expect(await opening).to.not.equal(null)
    })

    const ask: Record<Exclude<Endpoint, 'models'>, (caller: Listening) => void> = {
      transcriptions: (caller) => caller.hear(500),
      chat: (caller) => caller.model.read('Hello?'),
      speech: (caller) => caller.model.say('Good morning, and welcome to the bakery of the old town.'),
    }

    for (const endpoint of ['transcriptions', 'chat', 'speech'] as const) {
      it(`tries ${endpoint} once more, and then not`, async () => {
        for (const failure of ['down', { status: 500 }, { status: 429 }] satisfies Failure[]) {
          const caller = await opened()
          server.fail(endpoint, failure)
          ask[endpoint](caller)
          await caller.until('responded')
          const before = server.requests.length
          server.fail(endpoint, failure, Infinity)
          ask[endpoint](caller)
          await eventually(
            async () => caller.failures.length,
            (count) => count === 1,
            { what: 'a failure' },
          )
          expect(caller.failures[0]!.kind).to.equal('unreachable')
          const tried = server.requests.slice(before).filter((one) => one.includes(endpoint)).length
          // A kept connection that is closed may not have taken the request: that does not count.
          expect(tried).to.be.within(2, failure === 'down' ? 3 : 2)
          server.recover()
        }
      })

      it(`gives up at once when ${endpoint} is refused, or says nothing more`, async () => {
        for (const [failure, kind] of [
          [{ status: 400, message: `no such model, ${key}` }, 'refused'],
          ['silent', 'slow'],
          ['stalled', 'slow'],
        ] satisfies [Failure, string][]) {
          const caller = await opened({}, impatient)
          server.fail(endpoint, failure, Infinity)
          ask[endpoint](caller)
          await eventually(
            async () => caller.failures.length,
            (count) => count === 1,
            { what: 'a failure' },
          )
          expect(caller.failures[0]!.kind, JSON.stringify(failure)).to.equal(kind)
          expect(caller.failures[0]!.message).to.not.contain(key)
          if (kind === 'refused') expect(caller.failures[0]!.message).to.contain('no such model')
          server.recover()
        }
      })
    }

    it('speaks on where text to speech broke off', async () => {
      const caller = await opened()
      const text = 'Good morning, and welcome to the bakery of the old town.'
      server.fail('speech', 'cut')
      caller.model.say(text)
      await caller.until('responded')
      expect(server.spoken).to.have.length(2)
      expect(caller.sound()).to.deep.equal(
        tone(600, (text.length * server.msPerCharacter * rate) / 1_000, rate),
      )
    })

    it('ends with a chat that broke off after it had begun to speak', async () => {
      const caller = await opened()
      server.answering = () => ({ text: 'The first sentence of it all. '.repeat(50), msBetween: 2 })
      caller.model.respond(null)
      await caller.until('audio')
      const failed = once(caller.model, 'failed')
      await server.stop()
      const [error] = (await failed) as [SpeechModelError]
      expect(error.kind).to.equal('unreachable')
      expect(caller.events.at(-1)).to.equal('failed')
      await server.start()
    })
  })

  it('tells nothing once it is closed, and leaves nothing behind', async () => {
    const caller = await opened()
    server.delays.speech = 50
    caller.model.say('Nobody is going to hear this.')
    caller.hear(500)
    await eventually(
      async () => server.requests.length,
      (count) => count >= 5,
      { what: 'requests' },
    )
    const before = caller.events.length
    caller.model.close()
    caller.model.close()
    caller.model.say('Nor this.')
    caller.model.read('Nor this.')
    caller.hear(500)
    await eventually(
      async () => server.connections(),
      (count) => count === 0,
      { what: 'no connection' },
    )
    expect(caller.events).to.have.length(before)
  })
})
