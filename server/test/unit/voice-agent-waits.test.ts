/** What a voice agent's session makes of keys and of tools that take long, without a call. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import type { Channel } from '../../src/adapters/freeswitch/channel.js'
import { TypedKeys } from '../../src/adapters/freeswitch/typed-keys.js'
import { CallerKeys } from '../../src/features/voice-agents/sessions/caller-keys.js'
import { keysCue } from '../../src/features/voice-agents/sessions/cues.js'
import { SessionTools } from '../../src/features/voice-agents/sessions/session-tools.js'
import { phraseOf } from '../../src/adapters/speech/phrases.js'
import type { ToolCall } from '../../src/adapters/speech/speech-model.js'
import { languageOf, spokenLanguageOf } from '../../src/adapters/speech/spoken-language.js'
import type { ToolAnswer, ToolContext } from '../../src/features/voice-agents/tools/tool-runner.js'
import { eventually } from '../support/api-client.js'

/** A far end whose keys come in as the switch tells them. */
class Keypad extends EventEmitter {
  readonly keys = new TypedKeys()
  press(keys: string): void {
    for (const key of keys) {
      this.keys.press(key)
      this.emit('digit', key)
    }
  }
}

describe('keys that a caller presses by themselves', () => {
  let keypad: Keypad
  let pressed: string[]
  let begun: number
  let isTaken: boolean
  let keys: CallerKeys
  beforeEach(() => {
    keypad = new Keypad()
    pressed = []
    begun = 0
    isTaken = false
    keys = new CallerKeys({
      isTaken: () => isTaken,
      begin: () => (begun += 1),
      pressed: (all) => pressed.push(all),
    })
    keys.follow(keypad as unknown as Channel)
  })
  afterEach(() => keys.close())
  const told = async (count: number) =>
    eventually(
      async () => pressed.length,
      (length) => length >= count,
      { what: 'keys' },
    )

  it('are told together, soon behind the pound key', async () => {
    const since = Date.now()
    keypad.press('12#')
    await told(1)
    expect(pressed).to.deep.equal(['12#'])
    expect(begun, 'interrupts once').to.equal(1)
    expect(Date.now() - since).to.be.below(1_200)
  })

  it('are told together after a pause, and those behind it by themselves', async () => {
    keypad.press('4')
    await sleep(200)
    keypad.press('2')
    await told(1)
    keypad.press('7#')
    await told(2)
    expect(pressed).to.deep.equal(['42', '7#'])
    expect(begun).to.equal(2)
  })

  it('are used: what the call does next does not find them typed ahead', async () => {
    keypad.keys.press('9')
    keypad.press('12#')
    await told(1)
    expect(keypad.keys.take(), 'pressed before there was a voice agent').to.equal('9')
  })

  it('are left to a tool that collects them', async () => {
    isTaken = true
    keypad.press('1234')
    keys.flush()
    await sleep(20)
    expect(pressed).to.deep.equal([])
    expect(keypad.keys.take()).to.equal('1234')
  })

  it('are bounded, and end with the session', async () => {
    keypad.press('1'.repeat(70))
    expect(pressed.map(({ length }) => length)).to.deep.equal([32, 32])
    keys.close()
    keypad.press('5#')
    expect(keypad.listenerCount('digit')).to.equal(0)
    await sleep(400)
    expect(pressed).to.have.length(2)
  })

  it('are those of whoever talks with the voice agent now', async () => {
    const next = new Keypad()
    keys.follow(next as unknown as Channel)
    keypad.press('1#')
    next.press('2#')
    await told(1)
    expect(pressed).to.deep.equal(['2#'])
  })

  it('are named one by one to the model', () => {
    expect(keysCue('12#')).to.match(/these keys.*: 1 2 #$/)
    expect(keysCue('*')).to.match(/this key.*: \*$/)
  })
})

describe('tools that a session waits for', () => {
  let said: string[]
  let answers: [string, string, boolean][]
  let finish: (answer: ToolAnswer) => void
  let tools: SessionTools
  const make = (delayMessage: string) =>
    new SessionTools({
      model: {
        answerTool: (...answer) => answers.push(answer),
        bridge: (text) => said.push(text),
      },
      runner: { run: async () => new Promise((resolve) => (finish = resolve)) },
      delayMessage,
      context: () => ({}) as ToolContext,
      expectResponse: () => undefined,
      isOver: () => false,
      endBy: async () => Promise.resolve(),
      log: pino({ level: 'silent' }),
    })
  const call = (name: string): ToolCall => ({ id: `id of ${name}`, name, arguments: '{}' })
  const silent = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) tools.waited(20)
  }
  beforeEach(() => {
    said = []
    answers = []
    tools = make('One moment, please.')
  })

  it('are bridged by a sentence after two seconds of silence, once', async () => {
    const running = tools.run(call('look_up_order'))
    silent(1_900)
    tools.waited(0)
    silent(1_900)
    expect(said, 'something was heard in between').to.deep.equal([])
    silent(5_000)
    expect(said).to.deep.equal(['One moment, please.'])
    finish({ output: '{}' })
    await running
    expect(answers).to.deep.equal([['id of look_up_order', '{}', false]])
    const next = tools.run(call('look_up_order'))
    silent(2_000)
    expect(said, 'the next tool').to.have.length(2)
    finish({ output: '{}' })
    await next
    silent(5_000)
    expect(said).to.have.length(2)
  })

  it('are not where they have sounds of their own, or a version wants none', async () => {
    const collecting = tools.run(call('collect_digits'))
    expect(tools.isRunning('collect_digits')).to.equal(true)
    silent(5_000)
    finish({ output: '{}' })
    await collecting
    expect(tools.count).to.equal(0)
    tools = make('')
    const running = tools.run(call('look_up_order'))
    silent(5_000)
    finish({ output: '{}' })
    await running
    expect(said).to.deep.equal([])
  })
})

describe('the language of a voice agent', () => {
  const greetings: [string, string][] = [
    ['en', 'Hello, this is Reception of Acme. How can I help you?'],
    ['de', 'Guten Tag, hier ist die Bäckerei Müller. Wie kann ich Ihnen helfen?'],
    ['fr', 'Bonjour, vous êtes chez Dupont. Comment puis-je vous aider ?'],
    ['es', 'Hola, buenos días. ¿En qué puedo ayudarle?'],
    ['it', 'Buongiorno, sono la segreteria di Rossi. Come posso aiutarla?'],
    ['pt', 'Olá, bom dia. Como posso ajudá-lo?'],
    ['nl', 'Goedemorgen, u spreekt met de receptie. Hoe kan ik u helpen?'],
    ['pl', 'Dzień dobry, w czym mogę pomóc?'],
    ['tr', 'Merhaba, size nasıl yardımcı olabilirim?'],
  ]
  for (const [language, greeting] of greetings) {
    it(`is told by its greeting: ${language}`, () => {
      expect(languageOf(greeting)).to.equal(language)
      expect(phraseOf(language, 'moment')).to.match(/\S/)
    })
  }

  it('is what the version says, else that of its texts, else English', () => {
    const texts = {
      greeting_message: '',
      instructions: 'Du hilfst der Kundschaft und bist freundlich, bitte.',
    }
    expect(spokenLanguageOf({ ...texts, language: 'pt-BR' })).to.equal('pt')
    expect(spokenLanguageOf(texts)).to.equal('de')
    expect(spokenLanguageOf({ greeting_message: '你好', instructions: 'Acme' })).to.equal('en')
    expect(phraseOf('xx', 'moment')).to.equal('One moment, please.')
  })
})
