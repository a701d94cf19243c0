import { SpeechModelError } from '../speech-model.js'
import type { JudgedFrame, SoundAnalysis, SoundStream } from '../sound/sound-analysis.js'
import type { TurnRules } from '../turn-detection.js'
import { isBackchannel } from './backchannels.js'
import { isFinished } from './finished.js'
import type { SpeechToText } from './speech-to-text.js'
import { type UtteranceEvent, type Sound, Utterances } from './utterances.js'

/** Parts of an utterance that wait for their text; more come only when speech to text does not keep up. */
const maxWaiting = 8

/** Frames that wait to be judged: 10 s. */
const maxFrames = 500

export interface HearingListener {
  begins(): void
  pauses(): void
  /** Empty: nothing that was understood. */
  text(text: string): void
  /** Before it is known what was said. */
  transcribed(seconds: number): void
  failed(error: unknown): void
}

export interface HearingParts {
  readonly speechToText: SpeechToText
  readonly analysis: SoundAnalysis
  /** Samples a second. */
  readonly rate: number
  readonly rules: TurnRules
  readonly noiseReduction: boolean
  /** ISO 639, or null. */
  readonly language: string | null
  /** Aborted when the conversation is over. */
  readonly signal: AbortSignal
}

/** Listens to a caller: finds utterances, transcribes each, and reports when the caller has finished. */
export class Hearing {
  private stream: SoundStream | null = null
  private utterances: Utterances | null = null
  /** Frames that are not judged yet. */
  private readonly frames: Int16Array[] = []
  private waiting = 0
  private line: Promise<void> = Promise.resolve()
  /** The transcription under way; aborted when the caller keeps talking. */
  private asked: AbortController | null = null
  /** What was said so far, if it is not a whole sentence. */
  private unfinished: string | null = null
  private hasExpired = false

  constructor(
    private readonly parts: HearingParts,
    private readonly heard: HearingListener,
  ) {}

  /** @throws {SpeechModelError} speech cannot be detected */
  async open(): Promise<void> {
    const { analysis, rate, rules, noiseReduction, signal } = this.parts
    const stream = await analysis.open(rate, {
      judged: (frame) => this.judged(frame),
      cleaned: (utterance, samples) => this.utterances?.cleaned(utterance, samples),
      failed: (error) => this.fail(error),
    })
    if (signal.aborted) {
      stream.close()
      return
    }
    signal.addEventListener('abort', () => stream.close(), { once: true })
    this.stream = stream
    this.utterances = new Utterances(rules, noiseReduction ? stream : null)
  }

  /** The caller is speaking, or it is not known yet what they have said. */
  get isBusy(): boolean {
    return this.utterances?.isTurn === true || this.waiting > 0
  }

  get isCallerSpeaking(): boolean {
    return this.utterances?.isSpeaking === true
  }

  /** @param sent what has been played to the caller since the frame before */
  hear(frame: Int16Array, sent: Int16Array): void {
    if (!this.stream) return
    if (this.frames.length >= maxFrames) {
      this.fail(new SpeechModelError('slow', 'speech detection does not keep up with the caller'))
      return
    }
    const kept = frame.slice()
    this.frames.push(kept)
    this.stream.hear(kept, sent)
  }

  private judged(judged: JudgedFrame): void {
    const frame = this.frames.shift()
    if (!frame || !this.utterances || this.parts.signal.aborted) return
    for (const event of this.utterances.hear(frame, judged)) this.take(event)
  }

  private take(event: UtteranceEvent): void {
    switch (event.kind) {
      case 'begins':
        this.heard.begins()
        break
      case 'doubt':
        this.ask(event.sound, (text) => this.doubted(text))
        break
      case 'part':
        this.transcribePart(event.sound)
        break
      case 'pauses':
        this.pauses(event.sound)
        break
      case 'goesOn':
        this.asked?.abort()
        this.unfinished = null
        this.hasExpired = false
        if (this.utterances?.isTurn) this.heard.begins()
        break
      case 'expires':
        this.hasExpired = true
        if (this.unfinished !== null) this.end(this.unfinished)
        break
    }
  }

  private pauses(sound: Sound | null): void {
    const isTurn = this.utterances?.isTurn === true
    if (isTurn) this.heard.pauses()
    this.hasExpired = false
    if (sound) this.ask(sound, (text) => this.understood(text))
    else if (isTurn) this.end('')
    else this.drop()
  }

  /** Words while the voice agent talks, long enough for an interruption. */
  private doubted(text: string): void {
    const { utterances } = this
    if (!utterances || utterances.isTurn || text === '' || this.isOverheard(text)) return
    utterances.beginTurn()
    this.heard.begins()
  }

  private understood(text: string): void {
    const { utterances } = this
    if (!utterances) return
    if (!utterances.isTurn) {
      if (text === '' || this.isOverheard(text)) {
        this.drop()
        return
      }
      utterances.beginTurn()
      this.heard.begins()
      this.heard.pauses()
    }
    const { rules, language } = this.parts
    const isOver = rules.unfinishedMs <= rules.silenceMs || this.hasExpired || isFinished(text, language)
    if (isOver) this.end(text)
    else this.unfinished = text
  }

  /** Words that do not interrupt the voice agent. */
  private isOverheard(text: string): boolean {
    const { rules, language } = this.parts
    return rules.ignoresBackchannels && this.utterances?.isPlaying === true && isBackchannel(text, language)
  }

  /** The turn is over. */
  private end(text: string): void {
    this.drop()
    this.heard.text(text)
  }

  private drop(): void {
    this.asked?.abort()
    this.asked = this.unfinished = null
    this.utterances?.close()
  }

  /** Has what was said so far made text. What was asked before is not needed any more. */
  private ask(sound: Sound, understood: (text: string) => void): void {
    this.asked?.abort()
    const asked = (this.asked = new AbortController())
    const signal = AbortSignal.any([asked.signal, this.parts.signal])
    // Behind the parts of it that came before.
    const before = this.line
    void before
      .then(async () => this.transcribe(sound, signal))
      .then(
        (text) => {
          if (!signal.aborted) understood(text)
        },
        (error: unknown) => {
          if (!signal.aborted) this.fail(error)
        },
      )
  }

  private transcribePart(sound: Sound): void {
    if (this.waiting >= maxWaiting) {
      this.fail(new SpeechModelError('slow', 'speech to text does not keep up with the caller'))
      return
    }
    this.waiting += 1
    const { signal } = this.parts
    this.line = this.line.then(async () => {
      if (signal.aborted) return
      try {
        const text = await this.transcribe(sound, signal)
        this.waiting -= 1
        this.heard.text(text)
      } catch (error) {
        if (!signal.aborted) this.fail(error)
      }
    })
  }

  private async transcribe(sound: Sound, signal: AbortSignal): Promise<string> {
    const { speechToText, rate } = this.parts
    const samples = await sound()
    const text = await speechToText.transcribe(samples, rate, signal)
    this.heard.transcribed(samples.length / rate)
    return text
  }

  private fail(error: unknown): void {
    this.heard.failed(error)
  }
}
