/** Work that is repeated while the server runs: polls, sweeps, checks. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import { RateLimitedFailureLog } from './rate-limited-failure-log.js'

interface Options {
  /** Milliseconds from the start of one run to the start of the next. */
  readonly everyMs: number
  /** When the first run is: at the start, or `everyMs` later, as when left out. */
  readonly first?: 'now' | 'later'
  readonly log: Pick<Logger, 'warn' | 'info'>
  /** Event and message of the log when a run fails. */
  readonly failure: readonly [event: string, text: string]
}

/**
 * Runs work at intervals, at most one run at a time: where one takes longer than the interval, the next is left out. A run
 * that fails is logged, and the next one comes as usual. Runs are in the async context of the start, also those that a
 * request asks for: they are no part of it.
 */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined
  private stopping: AbortController | undefined
  private running: Promise<void> | undefined
  private isDue = false
  private inContext = AsyncLocalStorage.snapshot()
  private readonly failures: RateLimitedFailureLog

  /** @param work is given a signal that {@link stop} aborts */
  constructor(
    private readonly options: Options,
    private readonly work: (signal: AbortSignal) => Promise<void>,
  ) {
    this.failures = new RateLimitedFailureLog(options.log, ...options.failure)
  }

  get isStarted(): boolean {
    return this.stopping !== undefined
  }

  start(): void {
    if (this.stopping) return
    this.stopping = new AbortController()
    this.inContext = AsyncLocalStorage.snapshot()
    this.schedule(this.options.everyMs)
    if (this.options.first === 'now') this.again()
  }

  /** Begins no run any more, aborts the signal of the one under way, and waits for its end. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.stopping?.abort()
    this.stopping = undefined
    await this.running
  }

  /** Runs now; once more after the run under way, which may have begun too early. Nothing while it is not started. */
  again(): void {
    if (!this.stopping) return
    this.isDue = true
    this.running ??= this.inContext(async () => this.runWhileDue())
  }

  /** {@link again}, and waits for it. Never throws. */
  async settled(): Promise<void> {
    this.again()
    await this.running
  }

  /** Runs in so many milliseconds; the next interval counts from there. */
  soon(ms: number): void {
    if (this.stopping) this.schedule(ms)
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.schedule(this.options.everyMs)
      if (!this.running) this.again()
    }, ms)
  }

  private async runWhileDue(): Promise<void> {
    while (this.isDue && this.stopping) {
      this.isDue = false
      await this.runOnce(this.stopping.signal)
    }
    this.running = undefined
  }

  private async runOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.work(signal)
      this.failures.succeeded()
    } catch (error) {
      if (!signal.aborted) this.failures.failed(error)
    }
  }
}
