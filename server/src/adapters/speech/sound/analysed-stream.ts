import { joinedSamples } from '../../../lib/sound/joined-samples.js'
import { Resampler } from '../../../lib/sound/resampler.js'
import type { FrameToJudge, JudgedFrame } from './analysis-messages.js'
import { EchoDetector } from './echo-detector.js'
import { type SileroInput, SileroStream, chunkLength, sileroRate } from './silero.js'

/** Samples of 20 ms at the model's rate. */
const frameLength = sileroRate / 50

/** Sent frames that wait for the frame that was heard with them: a few, if the two come in bursts. */
const maxSent = 5 * frameLength

/** One call's sound, in the thread that judges it. */
export class AnalysedStream {
  private readonly silero = new SileroStream()
  private readonly echo = new EchoDetector()
  private readonly ofHeard: Resampler
  private readonly ofSent: Resampler
  private heard: Int16Array = new Int16Array(0)
  private sent: Int16Array = new Int16Array(0)
  private probability = 0
  private readonly chunk = new Float32Array(chunkLength)
  private filled = 0
  private readonly frames: FrameToJudge[] = []

  /** @param rate samples a second of what comes */
  constructor(rate: number) {
    this.ofHeard = new Resampler(rate, sileroRate)
    this.ofSent = new Resampler(rate, sileroRate)
  }

  add(frame: FrameToJudge): void {
    this.frames.push(frame)
  }

  /** Returns the next frame. @returns null when there is none */
  next(): { isEcho: boolean; input: SileroInput | null } | null {
    const frame = this.frames.shift()
    if (!frame) return null
    this.heard = joinedSamples([this.heard, this.ofHeard.push(frame.heard)])
    this.sent = joinedSamples([this.sent, this.ofSent.push(frame.sent)]).slice(-maxSent)
    const heard = new Int16Array(frameLength)
    heard.set(this.heard.subarray(0, frameLength))
    this.heard = this.heard.slice(frameLength)
    const sent = new Int16Array(frameLength)
    sent.set(this.sent.subarray(0, frameLength))
    this.sent = this.sent.slice(frameLength)
    return { isEcho: this.echo.hear(heard, sent), input: this.inputOf(heard) }
  }

  /** The judgement of a frame, with the model's probability; undefined if it completed no chunk. */
  judged(isEcho: boolean, probability: number | undefined): JudgedFrame {
    this.probability = probability ?? this.probability
    return { probability: this.probability, isEcho, isPlaying: this.echo.isPlaying }
  }

  /** A chunk is longer than a frame: a frame completes one at most. */
  private inputOf(samples: Int16Array): SileroInput | null {
    let input: SileroInput | null = null
    for (const sample of samples) {
      this.chunk[this.filled++] = sample / 32_768
      if (this.filled < chunkLength) continue
      this.filled = 0
      input = { stream: this.silero, chunk: this.chunk.slice() }
    }
    return input
  }
}
