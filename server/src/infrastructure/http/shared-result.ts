/**
 * A result that all callers share: for `ms` milliseconds, and while it is being computed. So its cost does not grow with the
 * callers.
 */
export function sharedResult<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  let isPending = false
  let askedAt = 0
  return async () => {
    if (result === undefined || (!isPending && performance.now() - askedAt >= ms)) {
      isPending = true
      askedAt = performance.now()
      result = ask().finally(() => (isPending = false))
    }
    return result
  }
}

/** A result, or another one where it is not there in time. */
export async function inTime<T>(ms: number, result: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => (timer = setTimeout(() => resolve(otherwise), ms)))
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}
