import { SpeechModelError } from '../speech-model.js'
import type { SpeechToText } from './speech-to-text.js'
import { Utterances } from './utterances.js'

/** Utterances that wait for their text; more come only when speech to text does not keep up. */
const maxWaiting = 8

export interface Heard {
  begins(): void
  pauses(): void
  /** Empty: nothing that was understood. */
  text(text: string): void
  /** Before it is known what was said. */
  transcribed(seconds: number): void
  failed(error: unknown): void
}

/** Hears a caller: finds utterances, and has each made text, in order. */
export class Hearing {
  private readonly utterances: Utterances
  private waiting = 0
  private line: Promise<void> = Promise.resolve()

  constructor(
    private readonly speechToText: SpeechToText,
    private readonly rate: number,
    noiseReduction: boolean,
    private readonly signal: AbortSignal,
    private readonly heard: Heard,
  ) {
    this.utterances = new Utterances(rate, noiseReduction)
  }

  /** The caller is speaking, or it is not known yet what they have said. */
  get isBusy(): boolean {
    return this.utterances.isSpeaking || this.waiting > 0
  }

  get isCallerSpeaking(): boolean {
    return this.utterances.isSpeaking
  }

  hear(frame: Int16Array): void {
    const event = this.utterances.hear(frame)
    if (!event) return
    if (event.kind === 'begins') {
      this.heard.begins()
      return
    }
    if (event.samples) this.queue(event.samples)
    if (event.kind !== 'ends') return
    this.heard.pauses()
    if (!event.samples && !this.isBusy) this.heard.text('')
  }

  private queue(samples: Int16Array): void {
    if (this.waiting >= maxWaiting) {
      this.heard.failed(new SpeechModelError('slow', 'speech to text does not keep up with the caller'))
      return
    }
    this.waiting += 1
    this.line = this.line.then(async () => this.transcribe(samples))
  }

  private async transcribe(samples: Int16Array): Promise<void> {
    if (this.signal.aborted) return
    try {
      const text = await this.speechToText.transcribe(samples, this.rate, this.signal)
      this.waiting -= 1
      this.heard.transcribed(samples.length / this.rate)
      this.heard.text(text)
    } catch (error) {
      if (!this.signal.aborted) this.heard.failed(error)
    }
  }
}
