import type { Deadlines } from './services.js'

/** The deadlines of one request: for all of it, and for each silence in its answer. */
export class Watch {
  private readonly limit = new AbortController()
  private readonly whole: NodeJS.Timeout
  private silence: NodeJS.Timeout
  /** Whether a deadline has passed. */
  isOver = false

  constructor(
    private readonly deadlines: Deadlines,
    private readonly outer: AbortSignal,
  ) {
    this.whole = setTimeout(this.expire, deadlines.wholeMs)
    this.silence = setTimeout(this.expire, deadlines.silenceMs)
    outer.addEventListener('abort', this.abort, { once: true })
    if (outer.aborted) this.abort()
  }

  /** Aborted when a deadline has passed, or when the caller's signal is. */
  get signal(): AbortSignal {
    return this.limit.signal
  }

  /** Something has come. @param silenceMs until the next; the configured one by default */
  alive(silenceMs = this.deadlines.silenceMs): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(this.expire, silenceMs)
  }

  end(): void {
    clearTimeout(this.whole)
    clearTimeout(this.silence)
    this.outer.removeEventListener('abort', this.abort)
  }

  private readonly abort = () => this.limit.abort()

  private readonly expire = () => {
    this.isOver = true
    this.limit.abort()
  }
}
