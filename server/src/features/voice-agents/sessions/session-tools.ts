/** The tools that a session has under way, and what the caller hears while one of them takes long. */
import type { Logger } from 'pino'
import { builtinTools } from '../builtin-tools.js'
import type { SpeechModel, ToolCall } from '../../../adapters/speech/speech-model.js'
import type { ToolAnswer, ToolContext, ToolRunner } from '../tools/tool-runner.js'

/** Tools that run at once; further calls are answered with an error. */
const maxTools = 8

/** Silence after which a caller begins to wonder. */
const delayMs = 2_000

const builtin = new Set(builtinTools.map(({ name }) => name))

interface Options {
  readonly model: Pick<SpeechModel, 'answerTool' | 'bridge'>
  readonly runner: Pick<ToolRunner, 'run'>
  /** What the caller hears when a tool takes long; '': nothing. */
  readonly delayMessage: string
  /** The call; null when it is over. */
  context(): ToolContext | null
  /** The model will answer. */
  expectResponse(): void
  isOver(): boolean
  endBy(ends: NonNullable<ToolAnswer['ends']>): Promise<void>
  readonly log: Logger
}

export class SessionTools {
  private readonly running = new Set<ToolCall>()
  private quietMs = 0
  private isBridged = false

  constructor(private readonly options: Options) {}

  /** The number of running tools. */
  get count(): number {
    return this.running.size
  }

  isRunning(name: string): boolean {
    return [...this.running].some((call) => call.name === name)
  }

  /** The caller has heard nothing for so much longer, or something (0). */
  waited(ms: number): void {
    this.quietMs = ms === 0 ? 0 : this.quietMs + ms
    const { delayMessage, model } = this.options
    if (this.quietMs < delayMs || this.isBridged || delayMessage === '') return
    // Built-in tools have sounds of their own: music, ringing, or the caller's keys.
    if (![...this.running].some(({ name }) => !builtin.has(name))) return
    this.isBridged = true
    this.options.expectResponse()
    model.bridge(delayMessage)
  }

  async run(call: ToolCall): Promise<void> {
    const { model, runner, log } = this.options
    const context = this.options.context()
    if (!context || this.running.size >= maxTools) {
      const error = context ? 'too many tools are under way' : 'the call is over'
      model.answerTool(call.id, JSON.stringify({ error }), false)
      return
    }
    this.running.add(call)
    try {
      const { output, ends } = await runner.run(context, call)
      if (this.options.isOver()) return
      if (!ends) this.options.expectResponse()
      model.answerTool(call.id, output, ends !== undefined)
      if (ends) await this.options.endBy(ends)
    } catch (error) {
      log.error({ event: 'voice_agent.tool_failed', err: error }, 'a tool failed')
      model.answerTool(call.id, JSON.stringify({ error: 'the tool failed' }), false)
    } finally {
      this.running.delete(call)
      if (this.running.size === 0) {
        this.quietMs = 0
        this.isBridged = false
      }
    }
  }
}
