/** Whose turn it is, on a chain of three servers: pauses, words that are no turn, and the voice agent's own echo. */
import { expect } from 'chai'
import { CascadedModel } from '../../src/adapters/speech/cascaded/cascaded-model.js'
import { isBackchannel } from '../../src/adapters/speech/cascaded/backchannels.js'
import { isFinished } from '../../src/adapters/speech/cascaded/finished.js'
import { type TurnDetection, usualTurns } from '../../src/adapters/speech/turn-detection.js'
import { joinedSamples as joined } from '../../src/lib/sound/joined-samples.js'
import { eventually } from '../support/api-client.js'
import { Listening, key, rate, services, usual } from '../support/cascaded-caller.js'
import { OpenAiHttpServer } from '../support/openai-http.js'
import { holds, spoken } from '../support/spoken.js'

let server: OpenAiHttpServer
let callers: Listening[]

async function opened(turns: Partial<TurnDetection> = {}): Promise<Listening> {
  const caller = new Listening(
    new CascadedModel(services(server), { ...usual, turnDetection: { ...usualTurns, ...turns } }),
  )
  callers.push(caller)
  await caller.model.open(new AbortController().signal)
  return caller
}

function silence(ms: number): Int16Array {
  return new Int16Array((rate * ms) / 1_000)
}

/** What comes back of what is played. */
function echoOf(sent: Int16Array, decibels: number, delayMs: number): Int16Array {
  return joined([silence(delayMs), sent]).map((sample) => sample * 10 ** (decibels / 20))
}

async function transcribed(count: number): Promise<void> {
  await eventually(
    async () => server.heard.length,
    (heard) => heard >= count,
    { what: `${count} requests of speech to text` },
  )
}

describe('turns', function () {
  this.timeout(30_000)
  const agent = spoken(
    'We open at nine in the morning from Monday to Friday, and on Saturdays we open at ten and close at noon.',
    rate,
    'en-us',
  )
  const before = silence(1_500)

  beforeEach(async () => {
    callers = []
    server = new OpenAiHttpServer(key)
    await server.start()
  })

  afterEach(async () => {
    for (const { model } of callers) model.close()
    expect(server.violations).to.deep.equal([])
    await server.stop()
  })

  it('are over when the sentence is, and not in the middle of it', async () => {
    const caller = await opened()
    server.transcripts.push('My order number is', 'My order number is 4711.')
    const [first, second] = [spoken('My order number is', rate), spoken('four seven one one', rate)]
    await caller.hears(first, 800)
    await transcribed(1)
    await caller.until('callerPauses')
    await caller.hears(second)
    await caller.until('responded')
    expect(caller.heard).to.deep.equal(['My order number is 4711.'])
    expect(server.chats).to.have.length(1)
    const file = server.heard.at(-1)!
    // Of the pause, 400 ms are left: recognisers end a sentence in a longer one.
    const seconds = (first.length + second.length) / rate + 0.4 + 0.2
    expect(file.samples.length / file.rate).to.be.within(seconds - 0.15, seconds + 0.15)
    for (const text of ['My order number is', 'four seven one one'])
      expect(holds(file.samples, spoken(text, file.rate)), text).to.be.above(0.8)
  })

  it('are over after a time of silence, where a version wants it so', async () => {
    const caller = await opened({ type: 'server_vad', silenceMs: 500 })
    server.transcripts.push('My order number is', 'Four seven one one.')
    await caller.hears(spoken('My order number is', rate), 800)
    await caller.until('heard')
    await caller.hears(spoken('four seven one one', rate), 800)
    await caller.until('heard', 2)
    expect(caller.heard).to.deep.equal(['My order number is', 'Four seven one one.'])
  })

  it('are over in the end, also of a sentence that the caller does not finish', async () => {
    const caller = await opened({ eagerness: 'high' })
    server.transcripts.push('I would like to')
    await caller.hears(spoken('I would like to', rate), 900)
    await transcribed(1)
    expect(caller.heard).to.deep.equal([])
    await caller.hears(silence(400), 0)
    await caller.until('responded')
    expect(caller.heard).to.deep.equal(['I would like to'])
  })

  it('are taken by no “uh huh” while the voice agent talks', async () => {
    const caller = await opened()
    server.transcripts.push('Uh-huh.')
    const mic = joined([before, spoken('uh huh', rate)])
    await caller.hears(mic, 1_700, agent)
    await transcribed(1)
    server.transcripts.push('Could you repeat that?')
    await caller.hears(spoken('Could you repeat that', rate))
    await caller.until('responded')
    expect(caller.events.slice(0, 3)).to.deep.equal(['callerSpeaks', 'callerPauses', 'heard'])
    expect(caller.heard).to.deep.equal(['Could you repeat that?'])
  })

  it('are taken by it when the voice agent is silent, or when a version wants it so', async () => {
    const answering = await opened()
    server.transcripts.push('Yeah.')
    await answering.hears(spoken('yeah', rate))
    await answering.until('heard')
    expect(answering.heard).to.deep.equal(['Yeah.'])
    const strict = await opened({ ignoresBackchannels: false, interruptionMs: 200 })
    server.transcripts.push('Yeah.')
    await strict.hears(joined([before, spoken('yeah', rate)]), 1_700, agent)
    await strict.until('heard')
    expect(strict.heard).to.deep.equal(['Yeah.'])
  })

  it('are taken by words that interrupt, short or long', async () => {
    for (const text of ['Stop.', 'Wait a moment please, I have another question.']) {
      const caller = await opened()
      server.transcribing = () => text
      const words = spoken(text, rate)
      await caller.hears(joined([before, words]), 1_700, joined([agent, agent]))
      await caller.until('heard')
      expect(caller.events.slice(0, 2)).to.deep.equal(['callerSpeaks', 'callerPauses'])
      expect(caller.heard).to.deep.equal([text])
    }
  })

  it('are not taken by nothing that is understood while the voice agent talks', async () => {
    const caller = await opened({ interruptionMs: 1_000 })
    server.transcribing = () => ''
    await caller.hears(joined([before, spoken('Monday', rate)]), 1_700, joined([agent, agent]))
    await transcribed(1)
    server.transcribing = () => 'Hello?'
    await caller.hears(spoken('hello', rate))
    await caller.until('responded')
    expect(caller.count('callerSpeaks')).to.equal(1)
    expect(caller.heard).to.deep.equal(['Hello?'])
  })

  it('are over, and are not taken, while a television talks behind the caller', async () => {
    const caller = await opened()
    const television = (length: number) => {
      const bridge = spoken(
        'And now the weather for tomorrow, with sun in the south and rain in the north.',
        rate,
        'en-gb',
      )
      return Int16Array.from(
        { length },
        (_, index) => (bridge[index % bridge.length] ?? 0) * 10 ** (-14 / 20),
      )
    }
    server.transcribing = () => 'What do you sell?'
    const words = joined([
      silence(500),
      spoken('What do you sell? I would like some bread.', rate),
      silence(4_000),
    ])
    const behind = television(words.length)
    await caller.hears(
      words.map((sample, index) => sample + behind[index]!),
      0,
    )
    await caller.until('heard')
    await caller.hears(television(agent.length), 0, agent)
    server.transcribing = () => 'Goodbye.'
    await caller.hears(joined([silence(1_500), spoken('goodbye', rate)]))
    await caller.until('heard', 2)
    expect(caller.heard).to.deep.equal(['What do you sell?', 'Goodbye.'])
    expect(caller.count('callerSpeaks')).to.equal(2)
  })

  for (const [decibels, delayMs] of [
    [-6, 20],
    [-20, 150],
    [-20, 300],
    [-30, 500],
  ] as const) {
    it(`are not taken by an echo of ${decibels} dB after ${delayMs} ms, but by a caller above it`, async () => {
      const caller = await opened({ interruptionMs: 200 })
      await caller.hears(echoOf(agent, decibels, delayMs), 1_700, agent)
      await caller.hears(silence(100), 0)
      server.transcribing = () => 'Wait a moment.'
      const echo = echoOf(agent, decibels, delayMs)
      const words = joined([before, spoken('Wait a moment please', rate)])
      await caller.hears(
        echo.map((sample, index) => sample + (words[index] ?? 0)),
        1_700,
        agent,
      )
      await caller.until('heard')
      expect(caller.heard).to.deep.equal(['Wait a moment.'])
      expect(caller.count('callerSpeaks')).to.equal(1)
      for (const { samples, rate: fileRate } of server.heard) {
        expect(samples.length / fileRate, 'what was heard').to.be.below(3)
      }
    })
  }
})

describe('the end of a sentence', () => {
  const unfinished = [
    ...[
      'My order number is',
      'my order number is two',
      'My order number is 47',
      'four seven',
      '4 7',
      '47 11',
    ],
    ...[
      'I would like to',
      'It is about the',
      'um',
      'Well, I ...',
      'I need it because',
      'Yes,',
      'My name is.',
      '',
    ],
    ...[
      'Meine Bestellnummer ist',
      'Ich hätte gern einen',
      'Mon numéro est',
      'Mi número es',
      'Il mio numero è',
    ],
  ]
  const finished = [
    ...[
      'What time do you open?',
      'Yes, it is.',
      'No',
      'two',
      'The printer is broken.',
      'Could you repeat that',
    ],
    ...[
      'A table for four people',
      'I want one.',
      'Thank you, that is all',
      'goodbye',
      'In 2019.',
      'What is it for?',
    ],
    ...['Ja, das ist es', 'Oui', 'No, gracias', 'Come in', 'Yes please'],
  ]

  it('is told from its middle', () => {
    expect(unfinished.filter((text) => isFinished(text, null))).to.deep.equal([])
    expect(finished.filter((text) => !isFinished(text, null))).to.deep.equal([])
  })

  it('is that of the language, where it is known', () => {
    expect(isFinished('Der Name ist', 'de')).to.equal(false)
    expect(isFinished('Rufen Sie mich an', 'de')).to.equal(true)
    expect(isFinished('we go via', 'pt')).to.equal(true)
  })
})

describe('words that are no turn', () => {
  it('are those of somebody who listens', () => {
    const listening = [
      'Uh huh.',
      'mhm',
      'Mm-hmm',
      'Yeah',
      'Yes.',
      'okay, right',
      'I see',
      'Ja, genau',
      "d'accord",
      'sí',
      'Ah, ok',
    ]
    const speaking = [
      'No',
      'No, no',
      'Oh no',
      'Stop',
      'Wait',
      'Yeah, but',
      'Yes, I have a question',
      'I',
      'Okay?',
      '',
      'Hello',
    ]
    expect(listening.filter((text) => !isBackchannel(text, null))).to.deep.equal([])
    expect(speaking.filter((text) => isBackchannel(text, null))).to.deep.equal([])
    expect(isBackchannel('genau', 'fr')).to.equal(false)
    expect(isBackchannel('No tak', 'pl')).to.equal(true)
  })
})
