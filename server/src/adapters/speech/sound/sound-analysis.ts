/**
 * Judges the sound of all calls in a thread of its own, so that nothing else waits for the model. It lives as long as
 * there are streams.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { SpeechModelError } from '../speech-model.js'
import type { FrameToJudge, FromAnalysis, JudgedFrame, ToAnalysis } from './analysis-messages.js'

export type { JudgedFrame } from './analysis-messages.js'

export interface SoundStream {
  /**
   * What comes next, 20 ms of it.
   * @param sent what has been played to the caller since the frame before
   */
  hear(heard: Int16Array, sent: Int16Array): void
  /** Takes the noise out of what comes next of an utterance, which comes as `cleaned`. */
  clean(utterance: number, samples: Int16Array): void
  close(): void
}

export interface SoundListener {
  /** One for each frame, in order. */
  judged(frame: JudgedFrame): void
  /** Next samples of an utterance, without noise. */
  cleaned(utterance: number, samples: Int16Array): void
  /** The thread has ended. Nothing comes behind this. */
  failed(error: SpeechModelError): void
}

/** Milliseconds of frames of all calls that are sent to the thread together: each message is expensive. */
const togetherMs = 8

/** Deadline of the thread's start, which takes long on a busy machine. */
const usualStartMs = 10_000

/** The thread is kept for the next call. */
const idleMs = 30_000

export class SoundAnalysis {
  private thread: AnalysisThread | null = null

  /** @param script of the thread: TypeScript where this file is @param startMs in which it must be ready */
  constructor(
    private readonly script = new URL(`./analysis-worker${extname(import.meta.url)}`, import.meta.url),
    private readonly startMs = usualStartMs,
  ) {}

  /**
   * @param rate samples a second
   * @throws {SpeechModelError} `unreachable`: there is no such thread, or it has not started in time
   */
  async open(rate: number, listener: SoundListener): Promise<SoundStream> {
    const { script, startMs } = this
    const thread = this.thread?.isOver === false ? this.thread : new AnalysisThread(script, startMs)
    this.thread = thread
    return thread.open(rate, listener)
  }
}

/** The instance of this process. */
export const soundAnalysis = new SoundAnalysis()

class AnalysisThread {
  isOver = false
  private readonly worker: Worker
  private readonly ready: Promise<void>
  private readonly listeners = new Map<number, SoundListener>()
  private frames: FrameToJudge[] = []
  private streams = 0
  private turn: NodeJS.Timeout | undefined
  private idle: NodeJS.Timeout | undefined
  private late: NodeJS.Timeout | undefined

  constructor(script: URL, startMs: number) {
    const worker = (this.worker = new Worker(script))
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromAnalysis) => {
        if (message.kind === 'ready') {
          clearTimeout(this.late)
          resolve()
        } else if (message.kind === 'cleaned')
          this.listeners.get(message.stream)?.cleaned(message.utterance, message.samples)
        else for (const frame of message.frames) this.listeners.get(frame.stream)?.judged(frame)
      })
      worker.once('error', (error) => this.fail(error, reject))
      worker.once('exit', () => this.fail(new Error('it has ended'), reject))
      this.late = setTimeout(() => {
        this.fail(new Error('it has not started in time'), reject)
        void worker.terminate()
      }, startMs)
      this.late.unref()
    })
    // It is awaited when a stream is opened.
    this.ready.catch(() => undefined)
    worker.unref()
  }

  async open(rate: number, listener: SoundListener): Promise<SoundStream> {
    clearTimeout(this.idle)
    const stream = ++this.streams
    this.listeners.set(stream, listener)
    this.post({ kind: 'open', stream, rate })
    // Only a stream keeps the process alive.
    this.worker.ref()
    try {
      await this.ready
    } catch (error) {
      throw unusable(error)
    }
    return {
      hear: (heard, sent) => this.hear({ stream, heard, sent }),
      clean: (utterance, samples) => this.post({ kind: 'clean', stream, utterance, samples }),
      close: () => this.close(stream),
    }
  }

  private hear(frame: FrameToJudge): void {
    if (!this.listeners.has(frame.stream)) return
    this.frames.push(frame)
    this.turn ??= setTimeout(() => this.handOver(), togetherMs)
  }

  private handOver(): void {
    this.turn = undefined
    const frames = this.frames.splice(0)
    if (frames.length > 0) this.post({ kind: 'frames', frames })
  }

  private close(stream: number): void {
    if (!this.listeners.delete(stream)) return
    this.post({ kind: 'close', stream })
    if (this.listeners.size > 0) return
    this.worker.unref()
    this.idle = setTimeout(() => {
      this.isOver = true
      void this.worker.terminate()
    }, idleMs)
    this.idle.unref()
  }

  private post(message: ToAnalysis): void {
    if (!this.isOver) this.worker.postMessage(message)
  }

  private fail(error: unknown, reject: (error: unknown) => void): void {
    for (const timer of [this.turn, this.idle, this.late]) clearTimeout(timer)
    this.isOver = true
    reject(error)
    const listeners = [...this.listeners.values()]
    this.listeners.clear()
    for (const listener of listeners) listener.failed(unusable(error))
  }
}

function unusable(cause: unknown): SpeechModelError {
  return new SpeechModelError('unreachable', `speech detection has failed: ${String(cause).slice(0, 200)}`, {
    cause,
  })
}
