/** A customer's server that webhooks are posted to. */
import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: { id: string; event: string; workspace_id: string; created_at: string; data: any }
}

/** The status that a request is answered with; null for no answer at all. */
export type Answering = (received: Received) => number | null

export class WebhookReceiver {
  readonly received: Received[] = []
  answering: Answering = () => 204
  /** The header `Retry-After` of each answer. */
  retryAfter: string | undefined
  /** Requests that are not answered yet. */
  open = 0
  mostOpen = 0
  private server: Server | undefined
  private port = 0

  /** Listens, on the same port as before when it was stopped. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.receive(request, response))
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1
    this.mostOpen = Math.max(this.mostOpen, this.open)
    response.on('close', () => (this.open -= 1))
    const chunks = (await request.toArray()) as Buffer[]
    const text = Buffer.concat(chunks).toString()
    const received = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
    this.received.push(received)
    const status = this.answering(received)
    if (status === null) return
    const again = this.retryAfter === undefined ? {} : { 'retry-after': this.retryAfter }
    response.writeHead(status, { 'content-type': 'text/plain', ...again }).end(`answer ${status}`)
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((done) => this.server?.close(done) ?? done(undefined))
    this.server = undefined
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  /**
   * The events in the order in which they happened. Deliveries may come in another one; events of the same millisecond are
   * in the order of their ids, which grow.
   */
  inOrder(): Received['body'][] {
    const key = ({ created_at, id }: Received['body']) => `${created_at} ${id}`
    return this.received.map(({ body }) => body).toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  }

  /** What was posted to one path. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path)
  }
}
