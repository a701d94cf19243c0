/** Files that the API answers, kept by the browser. */
import { ApiError } from '@jackfield/sdk'
import { downloads } from './client'

/** How long an answer may take to begin, with the wait of a full minute's window; and to go on. */
const [beginMs, goOnMs] = [90_000, 30_000]

/** However long it takes as a whole: it ends when nothing comes any more. */
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
    // Which endpoint it is only the caller knows.
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

/** Hands a file to the browser, as a link to it would. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
