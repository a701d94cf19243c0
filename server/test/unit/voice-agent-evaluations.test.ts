/** Written callers played to a model, and the rules by which its answers are judged. */
import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { judge } from '../../src/features/voice-agents/evaluations/judge.js'
import { matchAll } from '../../src/features/voice-agents/evaluations/patterns.js'
import type { Rule } from '../../src/features/voice-agents/evaluations/rules.schema.js'
import { problemsOf, scriptOf } from '../../src/features/voice-agents/evaluations/script.js'
import { type Performance, play } from '../../src/features/voice-agents/evaluations/script-player.js'
import { SpeechModelError, type SpeechModelEvents } from '../../src/adapters/speech/speech-model.js'

interface Answer {
  text?: string
  tools?: { name: string; arguments?: string }[]
  /** The model is lost instead. */
  lost?: boolean
}

/** A model whose responses are written down: one for each text, and one for the answers of a response's tools. */
class WrittenModel extends EventEmitter<SpeechModelEvents> {
  readonly sampleRate = 8_000
  readonly read_: string[] = []
  readonly toldByTools: string[] = []
  closed = 0
  private pending = 0
  private goesOn = false

  constructor(private readonly answers: Answer[]) {
    super()
  }

  async open(): Promise<void> {
    await delay(1)
  }
  hear(): void {
    throw new Error('nothing is heard in an evaluation')
  }
  read(text: string): void {
    this.read_.push(text)
    void this.respondWith(this.answers.shift() ?? { text: 'I see.' })
  }
  bridge(): void {}
  say(text: string): void {
    void this.respondWith({ text })
  }
  respond(): void {}
  instruct(): void {}
  interrupt(): void {}
  answerTool(_: string, output: string, isLast: boolean): void {
    this.toldByTools.push(output)
    this.pending -= 1
    if (!isLast) this.goesOn = true
  }
  close(): void {
    this.closed += 1
  }

  private async respondWith({ text, tools = [], lost }: Answer): Promise<void> {
    await delay(2)
    if (lost) {
      this.emit('failed', new SpeechModelError('closed', 'it has gone'))
      return
    }
    if (text !== undefined) this.emit('said', text, 'item')
    for (const [index, tool] of tools.entries()) {
      this.pending += 1
      this.emit('toolCall', { id: `call${index}`, name: tool.name, arguments: tool.arguments ?? '{}' })
    }
    this.emit('usage', { inputTextTokens: 3, outputTextTokens: 2 })
    this.emit('responded')
    if (this.goesOn) {
      this.goesOn = false
      await this.respondWith(this.answers.shift() ?? { text: 'Done.' })
    }
  }
}

const noSignal = new AbortController().signal

async function perform(model: WrittenModel, script: object, greeting = 'Hello.'): Promise<Performance> {
  return play(scriptOf({ name: 'x', turns: [], ...script }), { model, greeting, signal: noSignal })
}

describe('scripts of evaluations', () => {
  it('are played with the greeting first, a turn after the other, tools answered as written', async () => {
    const model = new WrittenModel([
      { text: 'One moment.', tools: [{ name: 'look_up', arguments: '{"number":"7"}' }, { name: 'other' }] },
      { text: 'It is on its way.' },
      { text: 'Goodbye.', tools: [{ name: 'end_call' }] },
    ])
    const turns = [{ say: 'Where is order 7?' }, { say: 'Thanks' }, { say: 'Still there?' }]
    const played = await perform(model, { turns, tool_answers: { look_up: { state: 'sent' } } })
    expect(model.read_).to.deep.equal(['Where is order 7?', 'Thanks'])
    expect(model.toldByTools).to.deep.equal(['{"state":"sent"}', '{"status":"ok"}', '{"status":"ok"}'])
    expect(played.problem).to.equal(null)
    expect(played.exchanges.map(({ caller, voice_agent }) => [caller, voice_agent])).to.deep.equal([
      [null, 'Hello.'],
      ['Where is order 7?', 'One moment. It is on its way.'],
      ['Thanks', 'Goodbye.'],
    ])
    expect(played.exchanges[1]!.tool_calls[0]).to.deep.equal({
      ...{ name: 'look_up', arguments: { number: '7' }, answer: { state: 'sent' } },
    })
    expect(played.exchanges[1]!.reply_ms).to.be.within(1, 1_000)
    expect(played.usage).to.include({ inputTextTokens: 12, outputTextTokens: 8 })
    expect(model.closed).to.equal(1)
  })

  it('go on after a transfer that the script answers itself, and end with one that it does not', async () => {
    const transfer = { tools: [{ name: 'transfer_call', arguments: '{"to":"Sales"}' }] }
    const turns = [{ say: 'Sales, please' }, { say: 'And now?' }]
    const failed = { transfer_call: { status: 'no_answer' } }
    const goesOn = await perform(new WrittenModel([transfer, { text: 'Nobody answers.' }]), {
      ...{ turns, tool_answers: failed },
    })
    expect(goesOn.exchanges.map((one) => one.voice_agent)).to.deep.equal([
      'Hello.',
      'Nobody answers.',
      'I see.',
    ])
    const ends = await perform(new WrittenModel([transfer]), { turns })
    expect(ends.exchanges).to.have.length(2)
    expect(ends.problem).to.equal(null)
  })

  it('fail with the model, which is closed in any case', async () => {
    const model = new WrittenModel([{ lost: true }])
    const failure = await perform(model, { turns: [{ say: 'Hello?' }] }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(SpeechModelError).and.include({ message: 'it has gone' })
    expect(model.closed).to.equal(1)
  })

  it('stop a model that calls tools for ever', async () => {
    const endless = Array.from({ length: 50 }, () => ({ tools: [{ name: 'again' }] }))
    const played = await perform(new WrittenModel(endless), { turns: [{ say: 'Go' }] })
    expect(played.problem).to.equal('more than 20 tools were called in turn 1')
  })
})

describe('rules of evaluations', () => {
  const exchanges = [
    { caller: null, voice_agent: 'Hello, this is Acme.', tool_calls: [], reply_ms: 5 },
    {
      caller: 'When do you open?',
      voice_agent: 'We’re open from NINE\nto five.',
      tool_calls: [
        { name: 'look_up', arguments: { day: 'monday', deep: { a: 1, b: [1, 2] } }, answer: {} },
        { name: 'transfer_call', arguments: { to: 'Sales' }, answer: {} },
      ],
      reply_ms: 1_200,
    },
  ]
  const played = { exchanges, problem: null }

  async function seenFor(rule: Rule, turn = true): Promise<string | null> {
    const script = turn ? { turns: [{ say: 'x', expect: [rule] }] } : { turns: [], expect: [rule] }
    const [verdict] = await judge(scriptOf({ name: 'x', ...script }), played)
    expect(verdict!.passed).to.equal(verdict!.seen === null)
    expect(verdict!.turn).to.equal(turn ? 1 : null)
    return verdict!.seen
  }

  const table: [Rule, string | null][] = [
    [{ says: "we're open  from nine to FIVE" }, null],
    [{ says: 'ten' }, 'said: We’re open from NINE\nto five.'],
    [{ says_not: 'ten' }, null],
    [{ says_not: 'nine' }, 'said: We’re open from NINE\nto five.'],
    [{ matches: 'nine\\s+to (five|six)' }, null],
    [{ matches: '^five' }, 'said: We’re open from NINE\nto five.'],
    [{ matches_not: '^five' }, null],
    [{ matches_not: 'f.ve' }, 'said: We’re open from NINE\nto five.'],
    [{ calls_tool: { name: 'look_up' } }, null],
    [{ calls_tool: { name: 'look_up', arguments: { day: 'monday', deep: { b: [1, 2] } } } }, null],
    [
      { calls_tool: { name: 'transfer_call', arguments: { to: 'Support' } } },
      'called: look_up({"day":"monday","deep":{"a":1,"b":[1,2]}}), transfer_call({"to":"Sales"})',
    ],
    [{ does_not_call_tool: 'end_call' }, null],
    [
      { does_not_call_tool: 'look_up' },
      'called: look_up({"day":"monday","deep":{"a":1,"b":[1,2]}}), transfer_call({"to":"Sales"})',
    ],
    [
      { does_not_call_tool: '*' },
      'called: look_up({"day":"monday","deep":{"a":1,"b":[1,2]}}), transfer_call({"to":"Sales"})',
    ],
    [{ ends_call: false }, null],
    [{ ends_call: true }, 'the call was not ended'],
    [{ transfers_to: 'sales' }, null],
    [{ transfers_to: 'Support' }, 'transferred to Sales'],
    [{ max_words: 6 }, null],
    [{ max_words: 5 }, '6 words'],
    [{ replies_within: 1.2 }, null],
    [{ replies_within: 1.1 }, '1.2 s'],
  ]
  for (const [rule, expected] of table) {
    it(`${JSON.stringify(rule)}: ${expected === null ? 'holds' : 'does not hold'}`, async () => {
      expect(await seenFor(rule)).to.equal(expected)
    })
  }

  it('of the whole call speak of all that was said, and of every reply but the greeting’s time', async () => {
    expect(await seenFor({ says: 'Acme' }, false)).to.equal(null)
    expect(await seenFor({ says: 'Acme' })).to.not.equal(null)
    expect(await seenFor({ replies_within: 1.2 }, false)).to.equal(null)
  })

  it('of turns that were not reached do not hold', async () => {
    const script = scriptOf({
      name: 'x',
      turns: [{ say: 'a' }, { say: 'b', expect: [{ does_not_call_tool: '*' }] }],
    })
    expect(await judge(script, played)).to.deep.include({
      ...{ turn: 2, rule: { does_not_call_tool: '*' }, passed: false, seen: 'the call was over before it' },
    })
  })

  it('with a pattern that takes for ever hold nobody up', async () => {
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 10)
    const text = 'a'.repeat(40)
    const found = await matchAll([
      { pattern: 'A+', text },
      { pattern: '^(a+)+$', text: `${text}!` },
      { pattern: 'never', text },
    ])
    clearInterval(timer)
    expect(found).to.deep.equal([true, null, null])
    expect(ticks).to.be.greaterThan(3)
  })

  it('are refused when their patterns are none, by field', () => {
    const script = scriptOf({
      name: 'x',
      turns: [{ say: 'a', expect: [{ says: '(' }, { matches: '(' }] }],
      expect: [{ matches_not: '[' }],
      tool_answers: { look_up: 'x'.repeat(20_000) },
    })
    expect(problemsOf(script, 'scripts.2.').map(({ field }) => field)).to.deep.equal([
      'scripts.2.turns.0.expect.1.matches',
      'scripts.2.expect.0.matches_not',
      'scripts.2.tool_answers',
    ])
  })
})
