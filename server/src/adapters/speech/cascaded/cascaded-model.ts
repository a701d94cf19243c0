import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { monotonicFactory } from 'ulid'
import { withTimeout } from '../../../lib/with-timeout.js'
import {
  type SpeechModel,
  type SpeechModelEvents,
  SpeechModelError,
  type SpeechSettings,
} from '../speech-model.js'
import { phraseOf } from '../phrases.js'
import { soundAnalysis } from '../sound/sound-analysis.js'
import { turnRulesOf } from '../turn-detection.js'
import { Chat } from './chat.js'
import { Conversation } from './conversation.js'
import { Hearing } from './hearing.js'
import { Replies } from './replies.js'
import { ServiceLink } from './service-link.js'
import { type CascadedDeadlines, type CascadedServices, usualDeadlines } from './services.js'
import { SpeechToText } from './speech-to-text.js'
import { SpokenText } from './spoken-text.js'
import { TextToSpeech } from './text-to-speech.js'

/** The sample rate of speech services: OpenAI's, and Kokoro's. */
const rate = 24_000

const notUnderstood =
  'The caller made a sound, and nothing was understood. If you were interrupted by it, go on where you were; else ask what they said.'

/**
 * A speech model made of three services: speech to text, a chat model, and text to speech. It detects by itself when the
 * caller speaks.
 */
export class CascadedModel extends EventEmitter<SpeechModelEvents> implements SpeechModel {
  readonly sampleRate = rate
  private state: 'new' | 'open' | 'over' = 'new'
  private readonly life = new AbortController()
  private readonly links: { readonly stt: ServiceLink; readonly chat: ServiceLink; readonly tts: ServiceLink }
  private readonly conversation: Conversation
  private readonly hearing: Hearing
  private readonly replies: Replies
  private readonly newId = monotonicFactory()
  /** The caller has said or cut off something, and is to be answered when it is known what. */
  private owed: 'nothing' | 'answer' | 'question' = 'nothing'

  constructor(
    services: CascadedServices,
    private readonly settings: SpeechSettings,
    private readonly deadlines: CascadedDeadlines = usualDeadlines,
    private readonly log?: Pick<Logger, 'warn'>,
  ) {
    super()
    this.links = {
      stt: new ServiceLink(services.speechToText, 'speech to text'),
      chat: new ServiceLink(services.chat, 'the chat'),
      tts: new ServiceLink(services.textToSpeech, 'text to speech'),
    }
    this.conversation = new Conversation(settings.instructions, settings.history, (text) => {
      const spoken = new SpokenText(this.newId())
      spoken.add(text, false)
      return spoken
    })
    this.hearing = this.hearingBy(
      new SpeechToText(this.links.stt, deadlines.speechToText, languageOf(settings)),
    )
    this.replies = this.repliesBy(
      new Chat(this.links.chat, deadlines.chat, settings.temperature, settings.tools),
      new TextToSpeech(this.links.tts, services.textToSpeech, settings.voiceId, deadlines.textToSpeech, rate),
    )
  }

  async open(signal: AbortSignal): Promise<void> {
    const { stt, chat, tts } = this.links
    const { textOnly } = this.settings
    const links = textOnly ? [chat] : [stt, chat, tts]
    try {
      await withTimeout(this.deadlines.check.wholeMs, signal, async (limit) => {
        const checks = links.map(async (link) => this.check(link, limit))
        await Promise.all([...checks, ...(textOnly ? [] : [this.hearing.open()])])
      })
    } catch (error) {
      this.close()
      if (error instanceof SpeechModelError) throw error
      throw new SpeechModelError('slow', 'the services did not answer in time', { cause: error })
    }
    if (this.state === 'over') throw new SpeechModelError('closed', 'the model was closed while it opened')
    this.state = 'open'
  }

  hear(samples: Int16Array, sent: Int16Array): void {
    if (this.state === 'open') this.hearing.hear(samples, sent)
  }

  read(text: string): void {
    if (this.state !== 'open') return
    this.conversation.callerSaid(text)
    this.replies.answerCaller()
  }

  say(text: string): void {
    if (this.state === 'open') this.replies.say(text)
  }

  bridge(text: string): void {
    if (this.state === 'open') this.replies.bridge(text)
  }

  respond(about: string | null): void {
    if (this.state !== 'open') return
    if (about !== null) this.conversation.note(about)
    // Words of its own can wait for what the caller is just saying.
    else if (this.hearing.isBusy) {
      this.owed = 'answer'
      return
    }
    this.replies.answer()
  }

  instruct(text: string): void {
    if (this.state === 'open') this.conversation.note(text)
  }

  interrupt(itemId: string | null, heardMs: number): void {
    if (this.state !== 'open') return
    const isCut = itemId !== null || this.replies.isRunning
    this.conversation.interrupted(itemId, heardMs)
    this.replies.stop()
    if (isCut && this.hearing.isCallerSpeaking && this.owed === 'nothing') this.owed = 'question'
  }

  answerTool(callId: string, output: string, isLast: boolean): void {
    if (this.state !== 'open') return
    if (!this.conversation.answer(callId, output) || isLast) return
    // The model does not talk over the caller: the tool's result is part of the next answer to them.
    if (this.hearing.isBusy) this.owed = 'answer'
    else this.replies.answer()
  }

  close(): void {
    this.end()
    this.removeAllListeners()
  }

  private end(): void {
    this.state = 'over'
    this.life.abort()
    this.replies.stop()
    for (const link of Object.values(this.links)) link.close()
  }

  /** Asks for the list of its models, which is cheap, and checks the key too; not every server has one. */
  private async check(link: ServiceLink, signal: AbortSignal): Promise<void> {
    await link.ask(
      {
        ...{ method: 'GET', path: '/models', alsoFine: [404, 405, 501] },
        ...{ deadlines: this.deadlines.check, maxBytes: 4_194_304, signal },
      },
      async ({ parts }) => {
        for await (const _ of parts);
      },
    )
  }

  private hearingBy(speechToText: SpeechToText): Hearing {
    const { settings, life } = this
    const parts = {
      ...{ speechToText, analysis: soundAnalysis, rate, signal: life.signal },
      ...{ rules: turnRulesOf(settings.turnDetection), language: languageOf(settings) },
      noiseReduction: settings.noiseReduction,
    }
    return new Hearing(parts, {
      begins: () => {
        // The caller has heard nothing of the answer: it is made again with all that they say.
        if (this.replies.stopUnheard()) this.owed = 'answer'
        this.emit('callerSpeaks')
      },
      pauses: () => this.emit('callerPauses'),
      transcribed: (seconds) => this.emit('usage', { transcribedSeconds: seconds }),
      text: (text) => this.heard(text),
      failed: (error) => this.fail(error),
    })
  }

  private repliesBy(chat: Chat, textToSpeech: TextToSpeech): Replies {
    const { conversation, settings } = this
    const parts = {
      ...{ chat, textToSpeech: settings.textOnly ? null : textToSpeech, conversation, rate },
      language: settings.spokenLanguage ?? 'en',
    }
    return new Replies(parts, this.newId, phraseOf(settings.spokenLanguage, 'again'), {
      audio: (samples, itemId) => this.emit('audio', samples, itemId),
      audioDone: (itemId) => this.emit('audioDone', itemId),
      said: (text, itemId) => this.emit('said', text, itemId),
      toolCall: (call) => this.emit('toolCall', call),
      usage: (used) => this.emit('usage', used),
      responded: () => this.emit('responded'),
      saidNothing: () =>
        this.log?.warn({ event: 'voice_agent.empty_chat' }, 'the chat answered with nothing'),
      failed: (error) => this.fail(error),
    })
  }

  private heard(text: string): void {
    if (text !== '') {
      this.owed = 'answer'
      this.conversation.callerSaid(text)
      this.emit('heard', text, this.newId())
    }
    if (this.hearing.isBusy || this.owed === 'nothing' || this.state !== 'open') return
    if (this.owed === 'question') this.conversation.note(notUnderstood)
    this.owed = 'nothing'
    this.replies.answerCaller()
  }

  private fail(error: unknown): void {
    if (this.state === 'over') return
    this.end()
    const known = error instanceof SpeechModelError
    this.emit('failed', known ? error : new SpeechModelError('protocol', String(error), { cause: error }))
    this.removeAllListeners()
  }
}

/** The language for speech to text: ISO 639, from the BCP 47 tag. */
function languageOf({ language }: SpeechSettings): string | null {
  return /^([a-z]{2,3})(-|$)/i.exec(language ?? '')?.[1]?.toLowerCase() ?? null
}
