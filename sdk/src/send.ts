/** Sends requests with a timeout, and retries after a 429. */

export interface SendOptions {
  /** Timeout in milliseconds, until the response has been read completely. */
  timeoutMs: number
  /** Timeout of a request that uploads a file. */
  uploadTimeoutMs: number
  /** Number of retries after a 429. */
  retries: number
  /** Called before each wait for a retry. */
  onRetry?: ((seconds: number) => void) | undefined
  fetch: (request: Request) => Promise<Response>
}

/** Longest wait before a retry: the API's windows are one minute (contract, section Limits). */
const maxWaitSeconds = 60

/**
 * A fetch with a timeout for each try. It retries only a 429, after which the API has done nothing yet: a
 * retry never repeats an effect.
 */
export function patientFetch(options: SendOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let left = options.retries; ; left--) {
      const limit = AbortSignal.timeout(sendsFile(request) ? options.uploadTimeoutMs : options.timeoutMs)
      const signal = AbortSignal.any([request.signal, limit])
      const sent = new Request(left > 0 ? request.clone() : request, { signal })
      // Node 20 garbage-collects a timeout signal without other listeners, and a request whose response has begun: neither would end.
      limit.addEventListener('abort', () => sent)
      const response = await options.fetch(sent)
      if (response.status !== 429 || left <= 0) return response
      await response.body?.cancel()
      const seconds = Math.min(Number(response.headers.get('retry-after') ?? 1) || 1, maxWaitSeconds)
      options.onRetry?.(seconds)
      await waited(seconds * 1_000, request.signal)
    }
  }
}

function sendsFile({ headers }: Request): boolean {
  return headers.get('content-type')?.startsWith('multipart/form-data') ?? false
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal.addEventListener('abort', abort, { once: true })
  })
}
