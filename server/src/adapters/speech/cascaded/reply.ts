import type { SpeechUsage, ToolCall } from '../speech-model.js'
import type { Chat } from './chat.js'
import type { Conversation } from './conversation.js'
import { SpokenText } from './spoken-text.js'
import type { TextToSpeech } from './text-to-speech.js'
import { Voice } from './voice.js'

export interface ReplyParts {
  readonly chat: Chat
  /** Null: nothing is spoken. */
  readonly textToSpeech: TextToSpeech | null
  readonly conversation: Conversation
  /** Samples a second. */
  readonly rate: number
  /** ISO 639: of what is said. */
  readonly language: string
}

export interface ReplyWanted {
  /** The text to say; null: the chat model's answer. */
  readonly text: string | null
  /** The conversation does not have it. */
  readonly isAside: boolean
  /** Whether the model may call tools. */
  readonly mayCall: boolean
}

export interface ReplyEvents {
  audio(samples: Int16Array, itemId: string): void
  audioDone(itemId: string): void
  said(text: string, itemId: string): void
  toolCall(call: ToolCall): void
  usage(used: Partial<SpeechUsage>): void
}

/** One response: what the chat model answers, or a text that is given, spoken while it comes. */
export class Reply {
  readonly spoken: SpokenText
  private readonly limit = new AbortController()
  private readonly voice: Voice
  /** Not reported yet. */
  private text = ''
  private isTextWhole = false
  private failure: Error | null = null
  private hasContent = false

  constructor(
    private readonly wanted: ReplyWanted,
    itemId: string,
    private readonly parts: ReplyParts,
    private readonly events: ReplyEvents,
  ) {
    this.spoken = new SpokenText(itemId)
    this.voice = new Voice(parts.textToSpeech, parts.rate, parts.language, this.spoken, this.limit.signal, {
      audio: (samples) => {
        events.audio(samples, itemId)
        if (this.isTextWhole) this.report()
      },
      spoken: (characters) => events.usage({ spokenCharacters: characters }),
      failed: (error) => {
        if (!this.limit.signal.aborted) this.failure = error as Error
        this.limit.abort()
      },
    })
  }

  /** The text to say; null: the chat model's answer. */
  get given(): string | null {
    return this.wanted.text
  }

  get hasMadeSound(): boolean {
    return this.voice.hasMadeSound
  }

  /** The model has answered with neither words nor calls. */
  get isEmpty(): boolean {
    return !this.hasContent && !this.limit.signal.aborted
  }

  /** The caller wants to hear no more of it: its requests are ended. */
  stop(): void {
    this.limit.abort()
  }

  /** Resolves when all of it has been reported, or it is stopped. @throws {SpeechModelError} */
  async run(): Promise<void> {
    const { itemId } = this.spoken
    try {
      if (this.given === null) await this.answer()
      else await this.say(this.given)
    } catch (error) {
      if (!this.limit.signal.aborted) throw error
      // Text whose sound was never played is not reported.
      if (!this.isHeard) this.text = ''
    }
    if (this.failure !== null) throw this.failure
    this.report()
    if (this.hasMadeSound) this.events.audioDone(itemId)
  }

  private async say(text: string): Promise<void> {
    if (!this.wanted.isAside) this.parts.conversation.voiceAgentSays(this.spoken)
    this.text = text
    this.textIsWhole()
    this.voice.push(text)
    await this.voice.end()
  }

  private async answer(): Promise<void> {
    const { chat, conversation } = this.parts
    const messages = conversation.messages()
    const entry = conversation.voiceAgentSays(this.spoken)
    const { toolCalls, usage } = await chat.complete(
      messages,
      this.wanted.mayCall,
      this.limit.signal,
      (part) => {
        if (this.limit.signal.aborted) return
        this.text += part
        this.hasContent ||= part.trim() !== ''
        this.voice.push(part)
      },
    )
    if (usage) this.events.usage(usage)
    this.limit.signal.throwIfAborted()
    this.textIsWhole()
    const spoken = this.voice.end()
    this.hasContent ||= toolCalls.length > 0
    entry.calls(toolCalls)
    for (const call of toolCalls) this.events.toolCall(call)
    await spoken
  }

  private get isHeard(): boolean {
    return this.hasMadeSound || !this.parts.textToSpeech
  }

  /** The text is reported behind the first of its sound: text that is never heard was not said. */
  private textIsWhole(): void {
    this.isTextWhole = true
    if (this.isHeard) this.report()
  }

  private report(): void {
    const text = this.text.trim()
    this.text = ''
    if (text !== '') this.events.said(text, this.spoken.itemId)
  }
}
