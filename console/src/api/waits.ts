/** Waits before a request is sent again that the query cache knows nothing of: for code, and in the client after a 429. */

interface Wait {
  readonly kind: 'limited' | 'failed'
  /** When it is tried again, in milliseconds since 1970. */
  readonly againAt: number
}

const running = new Set<Wait>()

/** The waits that are not over yet. */
export const waits: ReadonlySet<Wait> = running

/** Has the banner count down to the next try. */
export function announceWait(kind: Wait['kind'], ms: number): void {
  const wait = { kind, againAt: Date.now() + ms }
  running.add(wait)
  setTimeout(() => running.delete(wait), ms)
}
