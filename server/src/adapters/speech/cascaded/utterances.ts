import type { JudgedFrame, SoundStream } from '../sound/sound-analysis.js'
import type { TurnRules } from '../turn-detection.js'
import { Foreground } from './foreground.js'
import { Recording } from './recording.js'
import { VoiceActivity } from './voice-activity.js'

const frameMs = 20

/** Frames before speech was noticed that belong to it: 300 ms, the soft beginning of a word. */
const framesBefore = 15

/** Frames of quiet that are left at its end: 200 ms. */
const framesAfter = 10

/** Fewer frames of speech are no word. */
const shortestVoiced = 8

/** 30 s: what speech to text takes at once (https://github.com/openai/whisper), and no more memory than that. */
const longestFrames = 1_500

/** An utterance, and the ones before it; if removing the noise takes longer, the sound is used with it. */
const maxRecent = 3

/** After this silence, words that were said while the voice agent talks are transcribed. */
const overheardMs = 300

/** How much longer than an interruption words may be before they count as one. */
const doubtMs = 700

export type UtteranceEvent =
  /** The caller speaks to the voice agent, or interrupts it. */
  | { readonly kind: 'begins' }
  /** Long enough for an interruption; it may be words such as “uh huh”. */
  | { readonly kind: 'doubt'; readonly sound: Sound }
  /** A long utterance so far; the caller keeps talking. */
  | { readonly kind: 'part'; readonly sound: Sound }
  /** It may be over. Null: it was too short to be a word, or nothing has come since the last part. */
  | { readonly kind: 'pauses'; readonly sound: Sound | null }
  | { readonly kind: 'goesOn' }
  /** The silence is so long that the turn is over, finished or not. */
  | { readonly kind: 'expires' }

/** The sound of an utterance so far; resolves when its noise is removed. */
export type Sound = () => Promise<Int16Array>

/** Cuts what a caller says into utterances. */
export class Utterances {
  /** Whether the voice agent is being heard at this moment. */
  isPlaying = false
  /** Whether what is under way is known to be for the voice agent. */
  isTurn = false
  private readonly activity: VoiceActivity
  private readonly foreground = new Foreground()
  private recording: Recording | null = null
  /** The newest ones, of which sound without noise may still come. */
  private recent: Recording[] = []
  private before: Int16Array[] = []
  private count = 0
  private isPaused = false
  private isDoubted = false
  private hasExpired = false

  constructor(
    private readonly rules: TurnRules,
    /** Takes the noise out of them; null: nothing does. */
    private readonly stream: SoundStream | null,
  ) {
    this.activity = new VoiceActivity(rules.threshold)
  }

  /** The caller's turn is under way, and they do not pause. */
  get isSpeaking(): boolean {
    return this.isTurn && !this.isPaused
  }

  /** Takes the next 20 ms of sound. */
  hear(frame: Int16Array, judged: JudgedFrame): UtteranceEvent[] {
    this.isPlaying = judged.isPlaying
    const { threshold } = this.rules
    const { probability, isEcho, isPlaying } = judged
    const isSpeech = !isEcho && probability >= threshold
    const isBehind = this.foreground.isBackground(frame, isSpeech, this.isTurn, isPlaying)
    const isVoice = this.activity.hear(isEcho || isBehind ? 0 : probability)
    if (this.recording) {
      this.recording.add(frame, this.activity.quietFrames > 0)
      return this.inUtterance(isVoice)
    }
    this.before.push(frame)
    this.before.splice(0, this.before.length - framesBefore)
    if (!isVoice) return []
    this.record(this.before)
    this.isPaused = this.isDoubted = this.hasExpired = false
    return this.inUtterance(false)
  }

  /** Next samples of an utterance, without noise. */
  cleaned(utterance: number, samples: Int16Array): void {
    this.recent.find(({ id }) => id === utterance)?.clean(samples)
  }

  /** The current utterance is a turn: it is addressed to the voice agent. */
  beginTurn(): void {
    this.isTurn = true
  }

  /** The utterance is over. */
  close(): void {
    this.before = this.recording?.last(framesBefore) ?? this.before
    this.recording = null
    this.isTurn = this.isPaused = false
    this.activity.end()
  }

  private inUtterance(goesOn: boolean): UtteranceEvent[] {
    const heard: UtteranceEvent[] = []
    if (goesOn && this.isPaused) {
      this.isPaused = this.hasExpired = false
      heard.push({ kind: 'goesOn' })
    }
    if (!this.isTurn) heard.push(...this.overheard())
    const quietMs = this.activity.quietFrames * frameMs
    const { silenceMs, unfinishedMs } = this.rules
    if (!this.isPaused && quietMs >= (this.isTurn ? silenceMs : Math.min(overheardMs, silenceMs))) {
      this.isPaused = true
      heard.push({ kind: 'pauses', sound: this.soundOfWords() })
    }
    if (this.isPaused && !this.hasExpired && quietMs >= unfinishedMs) {
      this.hasExpired = true
      heard.push({ kind: 'expires' })
    }
    if (!this.isPaused && this.recording && this.recording.length >= longestFrames) heard.push(this.part())
    return heard
  }

  /** While the voice agent talks, an interruption takes longer than the beginning of a turn. */
  private overheard(): UtteranceEvent[] {
    const { interruptionMs, ignoresBackchannels } = this.rules
    const voicedMs = this.activity.voicedFrames * frameMs
    const isLong = voicedMs >= interruptionMs + (ignoresBackchannels ? doubtMs : 0)
    const isSpoken = this.activity.quietFrames === 0
    if (isSpoken && (!this.isPlaying || isLong)) {
      this.isTurn = true
      return [{ kind: 'begins' }]
    }
    if (this.isDoubted || voicedMs < interruptionMs) return []
    this.isDoubted = true
    return [{ kind: 'doubt', sound: this.sound(this.recording?.length ?? 0) }]
  }

  private soundOfWords(): Sound | null {
    if (this.activity.voicedFrames < shortestVoiced) return null
    return this.sound((this.recording?.length ?? 0) - Math.max(0, this.activity.quietFrames - framesAfter))
  }

  private sound(frames: number): Sound {
    const { recording } = this
    return async () => recording?.samples(frames) ?? new Int16Array(0)
  }

  private record(before: readonly Int16Array[]): void {
    this.recording = new Recording(++this.count, this.stream, before)
    this.recent = [...this.recent, this.recording].slice(-maxRecent)
  }

  private part(): UtteranceEvent {
    const sound = this.sound(longestFrames)
    this.record([])
    this.activity.restart()
    return { kind: 'part', sound }
  }
}
