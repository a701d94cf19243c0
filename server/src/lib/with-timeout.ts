/**
 * Runs work until a time is over or a signal is aborted, whichever comes first. (`AbortSignal.any` does not keep an
 * `AbortSignal.timeout` alive: Node 20 collects it, and it never fires.)
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const end = () => limit.abort()
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
