/** Files that the API returns, saved by the browser. */
import { ApiError } from '@jackfield/sdk'
import { downloads } from './client'

/** Timeout until the first byte, including one rate-limit window; and between chunks. */
const [beginMs, goOnMs] = [90_000, 30_000]

/** No limit on the total time: a download ends when it stalls. */
class Stall {
  private readonly ending = new AbortController()
  private timer: number | undefined
  readonly signal = this.ending.signal

  within(ms: number): void {
    this.end()
    this.timer = window.setTimeout(
      () => this.ending.abort(new DOMException('nothing comes any more', 'TimeoutError')),
      ms,
    )
  }

  end(): void {
    window.clearTimeout(this.timer)
  }
}

/** A file's content. @param path below /api/v1 @throws ApiError */
export async function contentOf(path: string, signal?: AbortSignal): Promise<Blob> {
  const stall = new Stall()
  stall.within(beginMs)
  try {
    const options = {
      parseAs: 'stream',
      signal: AbortSignal.any([stall.signal, ...(signal ? [signal] : [])]),
    }
    // Only the caller knows the endpoint.
    const { data, error, response } = await downloads.GET(path as never, options as never)
    if (!response.ok) throw new ApiError(response.status, error, response.headers.get('retry-after'))
    const parts: BlobPart[] = []
    const reader = ((data ?? new Blob().stream()) as ReadableStream<BlobPart>).getReader()
    for (;;) {
      stall.within(goOnMs)
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
    }
    return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
  } finally {
    stall.end()
  }
}

/** Offers a file for download, as a link to it would. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started reading it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
