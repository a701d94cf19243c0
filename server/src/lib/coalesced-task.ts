/** Work that is asked for often and done seldom. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import { RateLimitedFailureLog } from './rate-limited-failure-log.js'

interface Options {
  /** Milliseconds from the first request to the run that serves it and all others until then. */
  readonly gatherMs: number
  /** Milliseconds from the end of a run that failed until it is tried again; it is not when left out. */
  readonly retryMs?: number
  readonly log: Pick<Logger, 'warn' | 'info'>
  /** Event and message of the log when a run fails. */
  readonly failure: readonly [event: string, text: string]
}

/**
 * Runs work a moment after it is asked for, at most one run at a time, so that what is asked for in quick succession is
 * done at once. Runs are in the async context in which the task was made: they are no part of a request that asks.
 */
export class CoalescedTask {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private isDue = false
  private readonly stopping = new AbortController()
  private readonly inContext = AsyncLocalStorage.snapshot()
  private readonly failures: RateLimitedFailureLog

  /** @param work returns the shortest pause until the next run, in milliseconds; `gatherMs` when it returns none */
  constructor(
    private readonly options: Options,
    private readonly work: (signal: AbortSignal) => Promise<number | undefined>,
  ) {
    this.failures = new RateLimitedFailureLog(options.log, ...options.failure)
  }

  /** Runs in a moment; once more after the run under way, which may have begun too early. */
  soon(): void {
    this.isDue = true
    if (!this.timer && !this.running) this.schedule(this.options.gatherMs)
  }

  /** Begins no run any more, aborts the signal of the one under way, and waits for its end. */
  async stop(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.running
  }

  private schedule(ms: number): void {
    if (this.stopping.signal.aborted) return
    this.timer = this.inContext(() =>
      setTimeout(() => {
        this.timer = undefined
        this.running = this.run()
      }, ms),
    )
  }

  private async run(): Promise<void> {
    this.isDue = false
    const pauseMs = await this.runOnce()
    this.running = undefined
    if (this.isDue) this.schedule(pauseMs)
  }

  /** @returns the pause until the next run */
  private async runOnce(): Promise<number> {
    const { gatherMs, retryMs } = this.options
    try {
      const pauseMs = await this.work(this.stopping.signal)
      this.failures.succeeded()
      return pauseMs ?? gatherMs
    } catch (error) {
      this.failures.failed(error)
      if (retryMs !== undefined) this.isDue = true
      return retryMs ?? gatherMs
    }
  }
}
