/** Retry waits that the query cache does not know: of code chunks, and of the client after a 429. */

interface Wait {
  readonly kind: 'limited' | 'failed'
  /** Time of the retry, in milliseconds since 1970. */
  readonly againAt: number
}

const running = new Set<Wait>()

/** Waits that are not over. */
export const waits: ReadonlySet<Wait> = running

/** Makes the banner count down to the retry. */
export function announceWait(kind: Wait['kind'], ms: number): void {
  const wait = { kind, againAt: Date.now() + ms }
  running.add(wait)
  setTimeout(() => running.delete(wait), ms)
}
