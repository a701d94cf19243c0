import type { ChatOutcome } from './chat-outcome.js'
import { SpeechModelError, type SpeechUsage, type ToolCall } from '../speech-model.js'
import { ThoughtFilter } from './thought-filter.js'

/** Longest answer, in characters: five minutes of speech. */
const maxTextLength = 5_000
const maxToolCalls = 16
const maxArgumentsLength = 65_536

interface CallDelta {
  index?: number
  id?: string | null
  function?: { name?: string | null; arguments?: string | object | null }
}

/** A part of a chat's answer; some servers leave out what is null, or give null for what is empty. */
interface Chunk {
  choices?:
    | {
        delta?: { content?: string | null; tool_calls?: CallDelta[] | null }
        finish_reason?: string | null
      }[]
    | null
  usage?: {
    prompt_tokens?: number
    completion_tokens?: number
    prompt_tokens_details?: { cached_tokens?: number } | null
  } | null
  error?: { message?: unknown } | string
}

/** Puts the parts of a streamed answer together. */
export class ChatStream {
  /** The model has said all. */
  isDone = false
  /** The answer is longer than anyone would listen to. */
  isFull = false
  private length = 0
  private usage: Partial<SpeechUsage> | null = null
  private readonly calls: { index: number; id: string; name: string; arguments: string }[] = []
  private readonly thoughts = new ThoughtFilter()

  constructor(private readonly onText: (text: string) => void) {}

  /** @throws {SpeechModelError} `protocol` */
  take(data: string): void {
    if (data === '[DONE]') {
      this.isDone = true
      return
    }
    const chunk = chunkOf(data)
    if (chunk.error !== undefined) {
      const said = typeof chunk.error === 'string' ? chunk.error : chunk.error.message
      throw new SpeechModelError('unreachable', `the chat broke off: ${String(said).slice(0, 200)}`)
    }
    if (chunk.usage) this.usage = usageOf(chunk.usage)
    const choice = chunk.choices?.[0]
    if (typeof choice?.delta?.content === 'string') this.takeText(choice.delta.content)
    for (const call of choice?.delta?.tool_calls ?? []) this.takeCall(call)
    if (choice?.finish_reason) this.isDone = true
  }

  /** @throws {SpeechModelError} `unreachable`: it has ended too early */
  outcome(): ChatOutcome {
    if (!this.isDone && !this.isFull)
      throw new SpeechModelError('unreachable', 'the chat ended in the middle')
    const toolCalls = this.calls.filter(({ name }) => name !== '').map(callOf)
    return { toolCalls, usage: this.usage }
  }

  private takeText(content: string): void {
    const text = this.thoughts.pass(content).slice(0, maxTextLength - this.length)
    this.length += text.length
    this.isFull = this.length >= maxTextLength
    if (text !== '') this.onText(text)
  }

  /** OpenAI gives each call an index of its own; Ollama has given all of them the same index, but different ids. */
  private takeCall({ index = 0, id, function: called }: CallDelta): void {
    let call = this.calls.findLast((one) => one.index === index)
    if (!call || (id && call.id !== id && called?.name)) {
      if (this.calls.length >= maxToolCalls)
        throw new SpeechModelError('protocol', 'the chat calls too many tools')
      call = { index, id: id || `call_${this.calls.length}_${Date.now()}`, name: '', arguments: '' }
      this.calls.push(call)
    }
    call.name ||= called?.name ?? ''
    const part = called?.arguments ?? ''
    call.arguments += typeof part === 'string' ? part : JSON.stringify(part)
    if (call.arguments.length > maxArgumentsLength) {
      throw new SpeechModelError('protocol', 'the chat calls a tool with arguments that are too long')
    }
  }
}

function callOf({ id, name, arguments: written }: { id: string; name: string; arguments: string }): ToolCall {
  return { id, name, arguments: written.trim() === '' ? '{}' : written }
}

function chunkOf(data: string): Chunk {
  try {
    const chunk = JSON.parse(data) as Chunk | null
    if (typeof chunk === 'object' && chunk !== null) return chunk
  } catch {
    // Reported below, like any data that is not an object.
  }
  throw new SpeechModelError('protocol', 'the chat sent what is no JSON')
}

function usageOf(usage: NonNullable<Chunk['usage']>): Partial<SpeechUsage> {
  return {
    inputTextTokens: usage.prompt_tokens ?? 0,
    outputTextTokens: usage.completion_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
  }
}
