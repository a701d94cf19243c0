import { setTimeout as delay } from 'node:timers/promises'
import { Sentences } from './sentences.js'
import { spokenForm } from './spoken-form.js'
import type { SoundOf, SpokenText } from './spoken-text.js'
import type { TextToSpeech } from './text-to-speech.js'

/** Sound is made no further ahead of the caller: what an interruption throws away, and what waits to be played. */
const aheadMs = 20_000

export interface VoiceEvents {
  audio(samples: Int16Array): void
  /** Before it is spoken. */
  spoken(characters: number): void
  /** Speech has failed, and stops. */
  failed(error: unknown): void
}

/** Speaks a text that comes in parts: sentence by sentence, in order, the first as soon as it is whole. */
export class Voice {
  private readonly sentences: Sentences
  private line: Promise<void> = Promise.resolve()
  private madeMs = 0
  private firstAt = 0

  /**
   * @param textToSpeech null: nothing is spoken, all is text
   * @param language ISO 639: of what is said
   */
  constructor(
    private readonly textToSpeech: TextToSpeech | null,
    private readonly rate: number,
    private readonly language: string,
    private readonly text: SpokenText,
    private readonly signal: AbortSignal,
    private readonly events: VoiceEvents,
  ) {
    this.sentences = new Sentences(language)
  }

  push(part: string): void {
    for (const sentence of this.sentences.push(part)) this.add(sentence)
  }

  /** No more comes. Resolves when all of it is spoken. */
  async end(): Promise<void> {
    for (const sentence of this.sentences.end()) this.add(sentence)
    await this.line
  }

  get hasMadeSound(): boolean {
    return this.madeMs > 0
  }

  private add(sentence: string): void {
    const { textToSpeech } = this
    const sound = this.text.add(sentence, textToSpeech !== null)
    if (!textToSpeech) return
    this.line = this.line
      .then(async () => this.speak(textToSpeech, spokenForm(sentence, this.language), sound))
      .catch((error: unknown) => this.events.failed(error))
  }

  private async speak(textToSpeech: TextToSpeech, sentence: string, sound: SoundOf): Promise<void> {
    await this.pace()
    if (sentence !== '') {
      this.events.spoken(sentence.length)
      await textToSpeech.speak(sentence, this.signal, (samples) => {
        if (this.signal.aborted) return
        this.firstAt ||= Date.now()
        const ms = (samples.length / this.rate) * 1_000
        this.madeMs += ms
        sound.made(ms)
        this.events.audio(samples)
      })
    }
    sound.whole()
  }

  private async pace(): Promise<void> {
    this.signal.throwIfAborted()
    const early = this.madeMs - (Date.now() - this.firstAt) - aheadMs
    if (this.firstAt > 0 && early > 0) await delay(early, undefined, { signal: this.signal })
  }
}
