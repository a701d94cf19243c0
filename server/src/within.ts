/**
 * Does something until a time is over or a signal is aborted, whichever comes first. (Of `AbortSignal.any` with an
 * `AbortSignal.timeout` nobody holds the latter: Node 20 collects it, and it never goes off.)
 */
export async function within<T>(
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
