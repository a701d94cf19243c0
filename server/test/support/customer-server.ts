/** A customer's own server, that calls ask: it answers as each path is told to, well or badly. */
import { once } from 'node:events'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request as it came. */
export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  text: string
  body: any
  at: number
}

type Behaviour = (asked: Asked, response: ServerResponse) => unknown

/** Answers with JSON, or with what a request makes of it. */
export const answering =
  (json: unknown, status = 200): Behaviour =>
  (asked, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(typeof json === 'function' ? json(asked) : json))

/** Answers with a text as it stands. */
export const writing =
  (text: string | Buffer, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text)

/** Ways in which a server can fail those who ask it. */
export const misbehaviours = {
  /** Takes the request and never answers. */
  hangs: () => undefined,
  /** Answers as fast as it can, without an end in sight. */
  endless: (_: Asked, response: ServerResponse) => {
    const chunk = Buffer.alloc(65_536, ' ')
    let left = 160
    const more = () => {
      while (!response.destroyed && left-- > 0 && response.write(chunk));
      if (left <= 0) response.end('{}')
    }
    response.on('drain', more)
    more()
  },
  /** Takes half a minute for a good answer. */
  drips: async (_: Asked, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const letter of '{"name":"Slow"}'.padEnd(30)) {
      if (response.destroyed) return
      response.write(letter)
      await sleep(1_000)
    }
    response.end()
  },
  /** Begins a good answer and breaks the connection. */
  resets: (_: Asked, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"name":"Half', () => response.socket?.resetAndDestroy())
  },
} satisfies Record<string, Behaviour>

export class CustomerServer {
  readonly asked: Asked[] = []
  /** By path. */
  readonly behaviours = new Map<string, Behaviour>()

  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {}

  static async start(host = '127.0.0.1'): Promise<CustomerServer> {
    const server = createServer()
    const customer = new CustomerServer(server, host)
    server.on('request', (request, response) => void customer.receive(request, response))
    server.listen(0, host)
    await once(server, 'listening')
    return customer
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const { url = '', method = '', headers } = request
    const { pathname: path, searchParams: query } = new URL(url, 'http://customer')
    const body = text === '' ? undefined : JSON.parse(text)
    const asked = { method, path, query, headers, text, body, at: Date.now() }
    this.asked.push(asked)
    const behave = this.behaviours.get(path)
    if (behave) await behave(asked, response)
    else response.writeHead(404).end()
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  url(path: string): string {
    return `http://${this.host}:${(this.server.address() as AddressInfo).port}${path}`
  }

  /** Says how a path answers, and where it is. */
  on(path: string, behaviour: Behaviour): string {
    this.behaviours.set(path, behaviour)
    return this.url(path)
  }

  /** What a path was asked. */
  at(path: string): Asked[] {
    return this.asked.filter((one) => one.path === path)
  }
}
