import type { SaidBefore, ToolCall } from '../speech-model.js'
import type { SpokenText } from './spoken-text.js'

/** A message of a chat (https://platform.openai.com/docs/api-reference/chat/create). */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: object[] }
  | { role: 'tool'; tool_call_id: string; content: string }

/** How much of the conversation is sent, the newest: self-hosted models read more too slowly. */
const maxEntries = 400
const maxCharacters = 60_000

/** The answer of a tool that has not answered yet, as a chat wants one for each call. */
const pending = '{"status":"pending"}'

/** Lists and tables are unpleasant to hear when text to speech reads them. */
const manner =
  'You are speaking with the caller on the telephone. What you write is read out as it is: write plain sentences, as people speak, without lists, markup or emoji.'

interface Answered extends ToolCall {
  output: string | null
}

type Entry =
  | { readonly by: 'caller' | 'note'; readonly text: string }
  | { readonly by: 'voice_agent'; readonly spoken: SpokenText; readonly calls: Answered[] }

/** What has been said and heard, in the form that the chat model gets. */
export class Conversation {
  private entries: Entry[]

  constructor(
    private readonly instructions: string,
    history: readonly SaidBefore[],
    spokenBefore: (text: string) => SpokenText,
  ) {
    this.entries = history.map(({ speaker, text }) =>
      speaker === 'caller' ? { by: 'caller', text } : { by: speaker, spoken: spokenBefore(text), calls: [] },
    )
    this.forget()
  }

  callerSaid(text: string): void {
    this.add({ by: 'caller', text })
  }

  note(text: string): void {
    this.add({ by: 'note', text })
  }

  /** The voice agent says something from here on. @returns where its calls of tools are kept */
  voiceAgentSays(spoken: SpokenText): { calls: (toolCalls: readonly ToolCall[]) => void } {
    const calls: Answered[] = []
    this.add({ by: 'voice_agent', spoken, calls })
    return { calls: (toolCalls) => void calls.push(...toolCalls.map((call) => ({ ...call, output: null }))) }
  }

  /** @returns whether the model can go on: all its calls are answered; false also for an unknown call */
  answer(callId: string, output: string): boolean {
    for (const entry of this.entries) {
      if (entry.by !== 'voice_agent') continue
      const call = entry.calls.find(({ id, output: before }) => id === callId && before === null)
      if (!call) continue
      call.output = output
      return entry.calls.every((one) => one.output !== null)
    }
    return false
  }

  /** The caller has interrupted: what was not heard was not said. @param itemId null: all that has been made was heard */
  interrupted(itemId: string | null, heardMs: number): void {
    let isAfter = false
    for (const entry of this.entries) {
      if (entry.by !== 'voice_agent') continue
      if (isAfter) entry.spoken.cut(0)
      else if (itemId === null) entry.spoken.cutToMade()
      else if (entry.spoken.itemId === itemId) {
        entry.spoken.cut(heardMs)
        isAfter = true
      }
    }
  }

  messages(): ChatMessage[] {
    const messages: ChatMessage[] = [{ role: 'system', content: `${this.instructions}\n\n${manner}` }]
    for (const entry of this.entries) {
      const last = messages.at(-1)
      if (entry.by === 'note') messages.push({ role: 'system', content: entry.text })
      else if (entry.by === 'voice_agent') messages.push(...messagesOf(entry.spoken.text, entry.calls))
      // Templates of some models take no two messages of a user in a row.
      else if (last?.role === 'user') last.content += `\n${entry.text}`
      else messages.push({ role: 'user', content: entry.text })
    }
    return messages
  }

  private add(entry: Entry): void {
    if (entry.by !== 'voice_agent' && entry.text.trim() === '') return
    this.entries.push(entry)
    this.forget()
  }

  private forget(): void {
    let characters = 0
    let kept = 0
    for (const entry of [...this.entries].reverse()) {
      characters += lengthOf(entry)
      if (kept > 0 && (kept >= maxEntries || characters > maxCharacters)) break
      kept += 1
    }
    this.entries = this.entries.slice(-kept)
  }
}

function lengthOf(entry: Entry): number {
  if (entry.by !== 'voice_agent') return entry.text.length
  const calls = entry.calls.reduce(
    (sum, { arguments: given, output }) => sum + given.length + (output?.length ?? 0),
    0,
  )
  return entry.spoken.text.length + calls
}

function messagesOf(text: string, calls: readonly Answered[]): ChatMessage[] {
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }]
  const tool_calls = calls.map((call) => ({
    ...{ id: call.id, type: 'function' },
    function: { name: call.name, arguments: written(call.arguments) },
  }))
  const outputs = calls.map(({ id, output }) => ({
    ...{ role: 'tool' as const, tool_call_id: id },
    content: output ?? pending,
  }))
  return [{ role: 'assistant', content: text === '' ? null : text, tool_calls }, ...outputs]
}

/** A model may write arguments that are no JSON; the chat's template parses them. */
function written(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify({ invalid: text })
  }
}
