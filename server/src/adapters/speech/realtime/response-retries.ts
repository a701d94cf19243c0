/** When a response that failed is asked for again, and when that is given up. */
import type { Fields } from './fields.js'
import type { RealtimeLimits } from './realtime-limits.js'

/** Failures in a row after which the caller has been left without an answer for long enough. */
const maxFailures = 4

export class ResponseRetries {
  private failures = 0

  constructor(private readonly limits: Pick<RealtimeLimits, 'retryMs' | 'maxRetryMs'>) {}

  /** @returns milliseconds after which it is asked for again; null: it is given up */
  failed(error: Fields): number | null {
    this.failures += 1
    if (this.failures >= maxFailures) return null
    const { retryMs, maxRetryMs } = this.limits
    return Math.min(retryAfterMs(error.text('message')) ?? retryMs * 2 ** (this.failures - 1), maxRetryMs)
  }

  succeeded(): void {
    this.failures = 0
  }
}

/** Whether an `error` event may be about any response that is awaited, and may pass. */
export function isPassing(error: Fields): boolean {
  const code = `${error.text('type')} ${error.text('code')}`
  return error.text('code') === '' || /server_error|internal_error|rate_limit|overloaded|timeout/.test(code)
}

/** Reads `Rate limit reached …. Please try again in 1.2s.` */
function retryAfterMs(message: string): number | null {
  const [, amount, unit] = /try again in (\d+(?:\.\d+)?) ?(ms|s)\b/i.exec(message) ?? []
  return amount === undefined ? null : Math.ceil(Number(amount) * (unit?.toLowerCase() === 'ms' ? 1 : 1_000))
}
