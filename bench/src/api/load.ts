/**
 * The load generator, a process of its own: keeps a number of requests in flight, each connection
 * asking again as soon as it is answered. Reads one order a message from its parent, and answers with figures.
 */
import { connect } from 'node:net'
import { percentile } from '../figures.js'

/** The requests, their sender, and their duration. */
export interface LoadOrder {
  port: number
  path: string
  headers: Record<string, string>
  /** Of a POST: JSON in which `$n` is another number each time. Without it the requests are GET. */
  body?: string
  connections: number
  ms: number
}

export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  /** Answers that were neither 200 nor 201. */
  failed: number
}

/** A request without an answer for this time, in milliseconds, ends the run. */
const deadlineMs = 10_000

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})

async function run(order: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = []
  const request = requestsOf(order)
  const began = performance.now()
  const until = began + order.ms
  const failures = await Promise.all(
    Array.from({ length: order.connections }, async () =>
      oneConnection(order.port, request, until, latencies),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  return {
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failed: failures.reduce((sum, failed) => sum + failed, 0),
  }
}

let sent = 0

/** Makes the bytes of each request. */
function requestsOf({ path, headers, body }: LoadOrder): () => Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (body === undefined) {
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    return () => request
  }
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}content-type: application/json\r\n`
  return () => {
    const content = body.replaceAll('$n', `${Date.now()}${sent++}`)
    return Buffer.from(`${head}content-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`)
  }
}

/** Asks until the time is up. @returns how many answers were neither 200 nor 201 */
async function oneConnection(
  port: number,
  request: () => Buffer,
  until: number,
  latencies: number[],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error(`no answer within ${deadlineMs} ms`)))
    let failed = 0
    let asked = 0
    let received: Buffer = Buffer.alloc(0)
    const ask = () => {
      asked = performance.now()
      socket.write(request())
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () => resolve(failed))
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const text = received.toString('latin1', 0, head)
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
      if (Number.isNaN(length)) {
        socket.destroy(new Error(`an answer without Content-Length: ${text}`))
        return
      }
      if (received.length < head + 4 + length) return
      received = Buffer.alloc(0)
      if (!/^HTTP\/1\.1 20[01] /.test(text)) failed += 1
      latencies.push(performance.now() - asked)
      if (performance.now() < until) ask()
      else socket.end()
    })
  })
}
