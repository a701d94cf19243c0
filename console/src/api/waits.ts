/** Requests that are sent again after a while, beside those of the cache: of code, and what a 429 has the client wait for. */

interface Wait {
  readonly kind: 'limited' | 'failed'
  /** When it is tried again, in milliseconds since 1970. */
  readonly againAt: number
}

const running = new Set<Wait>()

/** What is waited for in this moment. */
export const waits: ReadonlySet<Wait> = running

/** Has the banner count down to the next try. */
export function announceWait(kind: Wait['kind'], ms: number): void {
  const wait = { kind, againAt: Date.now() + ms }
  running.add(wait)
  setTimeout(() => running.delete(wait), ms)
}
