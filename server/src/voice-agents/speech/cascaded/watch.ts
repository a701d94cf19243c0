import type { Deadlines } from './services.js'

/** The deadlines of one request: for all of it, and for each time that nothing comes. */
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

  /** Aborted when a deadline has passed, or whoever asks wants no answer any more. */
  get signal(): AbortSignal {
    return this.limit.signal
  }

  /** Something has come. @param silenceMs until the next; the usual unless told */
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
