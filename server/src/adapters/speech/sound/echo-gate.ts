/**
 * Keeps a voice agent's own voice, which comes back from the line, from a model that hears by itself: frames that are echo
 * are silence for it. What cannot be judged passes as it came.
 */
import type { Logger } from 'pino'
import type { SoundAnalysis, SoundStream } from './sound-analysis.js'

/** Frames that wait to be judged: one second. */
const maxWaiting = 50

interface Options {
  readonly analysis: Pick<SoundAnalysis, 'open'>
  /** Samples a second. */
  readonly rate: number
  /** Takes each frame, in order. */
  pass(frame: Int16Array): void
  readonly log: Pick<Logger, 'warn'>
}

export class EchoGate {
  private stream: SoundStream | null = null
  private waiting: Int16Array[] = []
  private isClosed = false

  constructor(private readonly options: Options) {}

  /** Frames that come before it is open pass as they are. */
  async open(): Promise<void> {
    const { analysis, rate } = this.options
    try {
      const stream = await analysis.open(rate, {
        judged: ({ isEcho }) => this.judged(isEcho),
        cleaned: () => undefined,
        failed: (error) => this.giveUp(error),
      })
      if (this.isClosed) stream.close()
      else this.stream = stream
    } catch (error) {
      this.giveUp(error)
    }
  }

  /** @param sent what has been played since the frame before */
  hear(frame: Int16Array, sent: Int16Array): void {
    const { stream } = this
    if (!stream) {
      this.options.pass(frame)
      return
    }
    this.waiting.push(frame.slice())
    if (this.waiting.length > maxWaiting) this.giveUp(new Error('sound is analysed too slowly'))
    else stream.hear(frame.slice(), sent)
  }

  close(): void {
    this.isClosed = true
    this.waiting = []
    this.stream?.close()
    this.stream = null
  }

  private judged(isEcho: boolean): void {
    const frame = this.waiting.shift()
    if (frame) this.options.pass(isEcho ? new Int16Array(frame.length) : frame)
  }

  private giveUp(error: unknown): void {
    if (this.isClosed) return
    this.options.log.warn(
      { event: 'voice_agent.echo_gate_failed', err: error },
      'the echo of a voice agent is not recognised any more',
    )
    const { waiting } = this
    this.close()
    for (const frame of waiting) this.options.pass(frame)
  }
}
