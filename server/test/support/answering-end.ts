/** A SIP end over UDP that answers each request with one status, or with nothing. */
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'

/** What a far end answers to a request. */
export function answerTo(text: string, status: number): string {
  const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
  const tagged = kept.map((line) => (/^To:(?!.*;tag=)/i.test(line) ? `${line};tag=far` : line))
  return [`SIP/2.0 ${status} Some`, ...tagged, 'Content-Length: 0', '', ''].join('\r\n')
}

export class AnsweringEnd {
  /** What came, in order. */
  readonly requests: string[] = []

  private constructor(
    private readonly socket: Socket,
    /** By method; 0: silence. */
    readonly status: Record<string, number>,
  ) {
    socket.on('message', (message, { port, address }) => {
      const text = String(message)
      const method = text.split(' ')[0] ?? ''
      this.requests.push(text)
      const answer = this.status[method] ?? 0
      if (answer > 0) socket.send(answerTo(text, answer), port, address)
    })
  }

  static async open(status: Record<string, number>): Promise<AnsweringEnd> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new AnsweringEnd(socket, status)
  }

  get port(): number {
    return this.socket.address().port
  }

  /** How many requests of a method came. */
  count(method: string): number {
    return this.requests.filter((text) => text.startsWith(`${method} `)).length
  }

  close(): void {
    this.socket.close()
  }
}
