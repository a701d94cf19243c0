/** A carrier's HTTP server: takes messages as it is told to, well or badly. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A submission as it came. */
export interface Submitted {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type Answering = (submitted: Submitted, response: ServerResponse) => unknown

export class HttpCarrierServer {
  readonly submitted: Submitted[] = []
  /** Connections that were ever made to it. */
  connections = 0
  answering: Answering = (_, response) => response.writeHead(201).end('{}')
  private server: Server | undefined
  private port = 0

  /** Listens, on the same port as before when it was stopped. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void request.toArray().then((chunks) => {
        const text = Buffer.concat(chunks as Buffer[]).toString()
        const { method = '', url: path = '', headers } = request
        const submitted = { method, path, headers, text }
        this.submitted.push(submitted)
        this.answering(submitted, response)
      })
    })
    server.on('connection', () => (this.connections += 1))
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((done) => this.server?.close(done) ?? done(undefined))
    this.server = undefined
  }

  /** Answers every submission alike. */
  answer(status: number, body: unknown = {}, headers: Record<string, string> = {}): void {
    this.answering = (_, response) => response.writeHead(status, headers).end(JSON.stringify(body))
  }

  url(path = '/messages'): string {
    return `http://127.0.0.1:${this.port}${path}`
  }
}
