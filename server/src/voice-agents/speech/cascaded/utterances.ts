import { HighPass } from './high-pass.js'
import { withoutNoise } from './noise-reduction.js'
import { VoiceActivity, framesToEnd } from './voice-activity.js'

/** Frames before speech was noticed that belong to it: 300 ms, the soft beginning of a word. */
const framesBefore = 15

/** Frames of quiet that are left at its end: 200 ms. */
const framesAfter = 10

/** Fewer loud frames are no word: a cough, a door. */
const shortestVoiced = 8

/** 30 s: what speech to text takes at once (https://github.com/openai/whisper), and no more memory than that. */
const longestFrames = 1_500

/** Below it there is no voice. */
const voiceFromHz = 100

export type HeardOf =
  | { readonly kind: 'begins' }
  /** A long utterance so far; the caller goes on. */
  | { readonly kind: 'part'; readonly samples: Int16Array }
  /** Null: it was too short to be a word, or nothing has come since the last part. */
  | { readonly kind: 'ends'; readonly samples: Int16Array | null }

/** Cuts what a caller says into utterances. */
export class Utterances {
  private readonly activity = new VoiceActivity()
  private readonly highPass: HighPass
  private frames: Int16Array[] = []

  constructor(
    private readonly rate: number,
    private readonly noiseReduction: boolean,
  ) {
    this.highPass = new HighPass(rate, voiceFromHz)
  }

  get isSpeaking(): boolean {
    return this.activity.isSpeaking
  }

  /** What comes next, 20 ms of it. */
  hear(frame: Int16Array): HeardOf | null {
    const filtered = this.highPass.filter(frame)
    const event = this.activity.hear(filtered)
    this.frames.push(this.noiseReduction ? filtered : frame.slice())
    if (event === 'begins') return { kind: 'begins' }
    if (event === 'ends') return this.end()
    if (!this.isSpeaking) this.frames.splice(0, this.frames.length - framesBefore)
    else if (this.frames.length >= longestFrames) return this.part()
    return null
  }

  private end(): HeardOf {
    const isWord = this.activity.voicedFrames >= shortestVoiced
    const samples = isWord ? this.joined(this.frames.slice(0, framesAfter - framesToEnd)) : null
    this.frames.splice(0, this.frames.length - framesBefore)
    return { kind: 'ends', samples }
  }

  private part(): HeardOf {
    const samples = this.joined(this.frames)
    this.frames = []
    this.activity.voicedFrames = 0
    return { kind: 'part', samples }
  }

  private joined(frames: readonly Int16Array[]): Int16Array {
    const samples = new Int16Array(frames.reduce((length, frame) => length + frame.length, 0))
    let at = 0
    for (const frame of frames) {
      samples.set(frame, at)
      at += frame.length
    }
    return this.noiseReduction ? withoutNoise(samples, this.rate) : samples
  }
}
