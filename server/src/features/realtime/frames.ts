/** The wire format of server-sent events (WHATWG HTML, section 9.2.6). */

interface Frame {
  /** What a reconnecting reader sends as Last-Event-ID. */
  id?: string
  event: string
  data: object
  /** Milliseconds after which a reader reconnects. */
  retry?: number
}

export function eventFrame({ id, event, data, retry }: Frame): Buffer {
  const head = (retry === undefined ? '' : `retry: ${retry}\n`) + (id === undefined ? '' : `id: ${id}\n`)
  return Buffer.from(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/**
 * Nothing happened: keeps proxies from closing the connection, and tells readers that it is alive. The id moves the
 * reader's Last-Event-ID past events that were not for it.
 */
export function heartbeatFrame(id: string): Buffer {
  const event = 'stream.heartbeat'
  return eventFrame({ id, event, data: { event, timestamp: new Date().toISOString() } })
}
