/**
 * Readers of streams, a process of its own: opens as many as ordered, and reports for each event how long after its
 * own timestamp each of them had it.
 */
import { type Socket, connect } from 'node:net'

/** Streams to open: where, and with which headers and tokens. */
export interface OpenOrder {
  port: number
  path: string
  host: string
  tokens: readonly string[]
}

/** An event that has reached all. */
export interface Reached {
  /** Milliseconds, of each reader. */
  delays: number[]
  data: Record<string, unknown>
}

export type ReaderMessage = { opened: number } | { refused: string } | Reached

const atOnce = 50
const sockets = new Set<Socket>()
const arrived = new Map<string, Reached>()

process.on('message', (order: OpenOrder) => void openAll(order))

async function openAll({ tokens, ...order }: OpenOrder): Promise<void> {
  for (let from = 0; from < tokens.length; from += atOnce) {
    await Promise.all(tokens.slice(from, from + atOnce).map(async (token) => open(order, token)))
  }
  post({ opened: sockets.size })
}

async function open(order: Omit<OpenOrder, 'tokens'>, token: string): Promise<void> {
  const socket = connect(order.port, '127.0.0.1')
  socket.setEncoding('utf8')
  const head = `GET ${order.path} HTTP/1.1\r\nHost: ${order.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  await new Promise<void>((resolve, reject) => {
    let text = ''
    let isOpen = false
    socket.once('error', reject)
    socket.on('data', (chunk: string) => {
      text += chunk
      if (!isOpen) {
        if (!text.includes('\r\n\r\n')) return
        isOpen = true
        if (text.startsWith('HTTP/1.1 200')) sockets.add(socket)
        else post({ refused: text })
        resolve()
      }
      const end = text.lastIndexOf('\n\n')
      if (end === -1) return
      const now = Date.now()
      for (const [, data = ''] of text.slice(0, end).matchAll(/^data: (.*)$/gm)) read(data, now)
      text = text.slice(end + 2)
    })
    socket.write(head)
  })
}

function read(text: string, now: number): void {
  const data = JSON.parse(text) as Reached['data'] & { event: string; timestamp: string }
  if (data.event.startsWith('stream.')) return
  const one = arrived.get(text) ?? { delays: [], data }
  arrived.set(text, one)
  one.delays.push(now - Date.parse(data.timestamp))
  if (one.delays.length < sockets.size) return
  arrived.delete(text)
  post(one)
}

function post(message: ReaderMessage): void {
  process.send?.(message)
}
