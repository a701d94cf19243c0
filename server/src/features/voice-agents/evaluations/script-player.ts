/** Plays a written caller to a speech model: texts in place of sound, and answers of tools as the script has them. */
import { performance } from 'node:perf_hooks'
import {
  type SpeechModel,
  SpeechModelError,
  type SpeechUsage,
  type ToolCall,
} from '../../../adapters/speech/speech-model.js'
import { withTimeout } from '../../../lib/with-timeout.js'
import type { Exchange, Played } from './exchange.js'
import type { Script } from './script.js'

/** What a play needs besides the script. */
interface Scene {
  readonly model: SpeechModel
  /** What the voice agent says first; '' for nothing. */
  readonly greeting: string
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

export interface Performance extends Played {
  readonly durationMs: number
  readonly usage: SpeechUsage
}

const openMs = 15_000
/** Until all responses to a turn are over, tools included. */
const exchangeMs = 60_000
/** Of the whole play. */
const playMs = 300_000
/** How long a response may go on that has ended the call. */
const partingMs = 5_000
/** Rounds of tools in one exchange: a model that calls the same tool for ever is stopped. */
const maxToolCalls = 20
/** Of what is said in one exchange, and of a tool's arguments, in characters. */
const maxText = 8_000

const defaultAnswer = { status: 'ok' }

/**
 * Plays a script; the model is closed behind it.
 * @throws {SpeechModelError} it could not be reached, or was lost
 */
export async function play(script: Script, { model, greeting, signal }: Scene): Promise<Performance> {
  const began = performance.now()
  const actionContext = new ScriptedContext(model, script)
  try {
    await withTimeout(openMs, signal, async (limit) => model.open(limit))
    const problem = await withTimeout(playMs, signal, async (limit) => actionContext.run(greeting, limit))
    const durationMs = Math.round(performance.now() - began)
    return { exchanges: actionContext.exchanges, problem, durationMs, usage: actionContext.usage }
  } finally {
    model.removeAllListeners()
    // Late failures of the model are ignored, and must not be thrown.
    model.on('failed', () => undefined)
    model.close()
  }
}

class ScriptedContext {
  readonly exchanges: Exchange[] = []
  readonly usage: SpeechUsage = {
    ...{ inputTextTokens: 0, inputAudioTokens: 0, cachedTokens: 0, outputTextTokens: 0 },
    ...{ outputAudioTokens: 0, transcribedSeconds: 0, spokenCharacters: 0 },
  }
  private ended = false
  private spokenAt = 0
  /** Answers of tools that the model has yet to go on with. */
  private owed = false
  private calls = 0
  private failure: SpeechModelError | undefined
  private wake: () => void = () => undefined
  private isOver = true

  constructor(
    private readonly model: SpeechModel,
    private readonly script: Script,
  ) {
    model.on('said', (text) => this.said(text))
    model.on('toolCall', (call) => this.called(call))
    model.on('responded', () => this.responded())
    model.on('usage', (used) => this.add(used))
    model.on('failed', (error) => {
      this.failure = error
      this.wake()
    })
  }

  /** @returns why it was not played to its end, or null */
  async run(greeting: string, signal: AbortSignal): Promise<string | null> {
    this.begin(null)
    if (greeting !== '') {
      this.model.say(greeting)
      if (!(await this.exchangeIsOver(signal))) return 'the greeting did not end'
    }
    for (const [index, { say }] of this.script.turns.entries()) {
      if (this.ended) return null
      this.begin(say)
      this.model.read(say)
      if (await this.exchangeIsOver(signal)) continue
      if (this.calls > maxToolCalls) return `more than ${maxToolCalls} tools were called in turn ${index + 1}`
      return this.ended ? null : `no end of the reply to turn ${index + 1}`
    }
    return null
  }

  private begin(caller: string | null): void {
    this.exchanges.push({ caller, voice_agent: '', tool_calls: [], reply_ms: null })
    this.spokenAt = performance.now()
    this.owed = false
    this.calls = 0
    this.isOver = false
  }

  private get exchange(): Exchange | undefined {
    return this.exchanges.at(-1)
  }

  private said(text: string): void {
    const { exchange } = this
    if (!exchange || text.trim() === '') return
    this.noteReply(exchange)
    exchange.voice_agent = [exchange.voice_agent, text.trim()].filter(Boolean).join(' ').slice(0, maxText)
  }

  private called(call: ToolCall): void {
    const { exchange } = this
    if (!exchange || this.ended) return
    this.noteReply(exchange)
    this.calls += 1
    if (this.calls > maxToolCalls) {
      this.wake()
      return
    }
    const { name } = call
    const answers = this.script.tool_answers
    const answer = Object.hasOwn(answers, name) ? answers[name] : defaultAnswer
    exchange.tool_calls.push({ name, arguments: parsed(call.arguments.slice(0, maxText)), answer })
    // A script that answers a transfer itself wants to hear what is said after it.
    this.ended = name === 'end_call' || (name === 'transfer_call' && answer === defaultAnswer)
    this.owed = !this.ended
    this.model.answerTool(call.id, JSON.stringify(answer), this.ended)
    this.wake()
  }

  /** A response that called tools is followed by another that uses their answers. */
  private responded(): void {
    if (this.owed) {
      this.owed = false
      return
    }
    this.isOver = true
    this.wake()
  }

  private noteReply(exchange: Exchange): void {
    exchange.reply_ms ??= Math.round(performance.now() - this.spokenAt)
  }

  private add(used: Partial<SpeechUsage>): void {
    for (const [name, count] of Object.entries(used) as [keyof SpeechUsage, number][])
      this.usage[name] += count
  }

  /** Waits for the end of all responses. @returns false when they took too long */
  private async exchangeIsOver(signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + exchangeMs
    const partsBy = () => (this.ended ? Math.min(until, performance.now() + partingMs) : until)
    for (let end = partsBy(); !this.isOver; end = Math.min(end, partsBy())) {
      if (this.failure) throw this.failure
      if (signal.aborted || this.calls > maxToolCalls || performance.now() >= end) return false
      await this.woken(end - performance.now(), signal)
    }
    if (this.failure) throw this.failure
    return this.calls <= maxToolCalls
  }

  private async woken(ms: number, signal: AbortSignal): Promise<void> {
    await withTimeout(ms, signal, async (limit) => {
      await new Promise<void>((resolve) => {
        this.wake = resolve
        limit.addEventListener('abort', () => resolve(), { once: true })
        if (limit.aborted) resolve()
      })
    })
  }
}

/** Arguments as JSON; invalid JSON stays as it was written. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
