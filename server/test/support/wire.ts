/** What a page of Chromium brings over the wire. */
import type { Page } from 'playwright-core'

export interface Wire {
  /** Those answered from the browser's cache count, too; those of data: and blob: URLs do not. */
  readonly requests: number
  /** Of answers, with their headers, as they were packed. */
  readonly bytes: number
}

/** Begins to watch a page. @returns tells what came since then, or since it was called before */
export async function watchWire(page: Page): Promise<() => Wire> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let [requests, bytes] = [0, 0]
  const isOurs = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!/^https?:/.test(request.url)) return
    isOurs.add(requestId)
    requests += 1
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (isOurs.delete(requestId)) bytes += encodedDataLength
  })
  return () => {
    const seen = { requests, bytes }
    requests = bytes = 0
    return seen
  }
}
