/** The WebSockets of all calls: opened at `/api/v1/calls/<call_id>/session` on a workspace's host. */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { siteOf } from '../../../infrastructure/http/access.js'
import { type Network, loopback } from '../../../lib/networks.js'
import { clientAddress, isAmong, sourceOf } from '../../../infrastructure/http/client-address.js'
import { ApiError, RateLimitError, UnavailableError, notFound } from '../../../infrastructure/http/errors.js'
import { apiPrefix } from '../../../infrastructure/http/public-urls.js'
import { RepeatingTask } from '../../../lib/repeating-task.js'
import { CallSocket, type CallSocketServices, type SocketTarget } from './call-socket.js'
import { withoutUpgrade } from './without-upgrade.js'

interface Options {
  readonly baseDomain: string
  /** Reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly Network[]
  /** A socket that sends nothing for two of these intervals is dead. */
  readonly heartbeatMs?: number
  /** Interval in which sessions and keys are checked that another server may have ended. */
  readonly revalidateMs?: number
}

/**
 * A larger message closes the socket with 1009. Frames of allowed size have fewer bytes, even if all characters are
 * escaped.
 */
const maxPayload = 400_000

/** Sockets of one server, and of one source; an office of agents may share one address. */
const maxSockets = 20_000
const maxOfSource = 5_000

/** Sockets that are not authenticated yet, in all and of one source. */
const maxNew = 2_000
const maxNewOfSource = 200

/** Retry-After in seconds. */
const retryAfter = 3

/** Time for a refused client to read the answer and to close. */
const refusedMs = 5_000

/** How long a server that stops waits for its sockets to close. */
const closeMs = 1_000

export class CallSockets {
  private readonly sockets = new Set<CallSocket>()
  /** Sockets that were not authenticated when this was last checked, and their sources. */
  private readonly newcomers = new Map<CallSocket, string>()
  private readonly ofSource = new Map<string, number>()
  private timer: NodeJS.Timeout | undefined
  private readonly revalidating: RepeatingTask
  private readonly ws = new WebSocketServer({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    clientTracking: false,
  })

  constructor(
    private readonly services: CallSocketServices,
    private readonly options: Options,
  ) {
    const { revalidateMs: everyMs = 10_000 } = options
    this.revalidating = new RepeatingTask(
      { everyMs, log: services.log, failure: ['call_socket.check_failed', 'sockets cannot be checked'] },
      async () => this.revalidate(),
    )
  }

  /**
   * Takes servers' requests to upgrade; those to anything but WebSocket are answered as if they did not ask.
   * @param mayCome refuses those that must not come to this server
   */
  serve(
    servers: readonly Server[],
    mayCome: (server: Server, request: IncomingMessage) => boolean = () => true,
  ): void {
    const { heartbeatMs = 10_000 } = this.options
    const ping = () => {
      for (const socket of this.sockets) socket.ping()
    }
    this.timer = setInterval(ping, heartbeatMs)
    this.revalidating.start()
    for (const server of servers) {
      server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
        if (request.headers.upgrade?.toLowerCase() !== 'websocket')
          withoutUpgrade(server, request, stream, head)
        else if (mayCome(server, request)) this.upgrade(request, stream, head)
        else {
          stream.on('error', () => undefined)
          refuse(stream, new ApiError(403, 'Tokens must not come in clear: use wss://'))
        }
      })
    }
  }

  /** The number of sockets of this server. */
  get count(): number {
    return this.sockets.size
  }

  /** Closes the sockets of a session that has ended. */
  revoke(credential: string): void {
    for (const socket of this.sockets) if (socket.credential === credential) socket.revoke()
  }

  /** Has all apps reconnect: another server drives their calls. */
  retry(): void {
    for (const socket of this.sockets) socket.leave()
  }

  /** Has all apps reconnect to the next server process. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.retry()
    const end = Date.now() + closeMs
    while (this.sockets.size > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20))
    for (const socket of this.sockets) socket.terminate()
    await this.revalidating.stop()
  }

  private async revalidate(): Promise<void> {
    const all = [...this.sockets].map(({ credential }) => credential).filter((one) => one !== undefined)
    const credentials = [...new Set(all)]
    if (credentials.length === 0) return
    const valid = await this.services.credentials.valid(credentials)
    for (const one of credentials) if (!valid.has(one)) this.revoke(one)
  }

  private upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => undefined)
    const target = targetOf(request, this.options.baseDomain)
    if (!target) refuse(stream, notFound('No such WebSocket'))
    else {
      const source = this.sourceOf(request)
      const refusal = this.refusalOf(source)
      if (refusal) {
        refuse(stream, refusal)
        return
      }
      this.ws.handleUpgrade(request, stream, head, (socket) => {
        const one = new CallSocket(socket, target, this.services)
        this.add(one, source)
        socket.on('close', () => this.remove(one, source))
      })
    }
  }

  private sourceOf({ socket, headers }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-for'] ?? ''
    const proxies = this.options.trustedProxies
    return sourceOf(clientAddress(socket.remoteAddress ?? '', String(forwarded), proxies))
  }

  private refusalOf(source: string): ApiError | null {
    if (this.sockets.size >= maxSockets) return new UnavailableError('Too many connections', retryAfter)
    for (const one of this.newcomers.keys()) if (!one.isNew) this.newcomers.delete(one)
    // A proxy that sends no addresses, and this machine, stand for many clients: no limit by source.
    if (!isAmong(source, [...loopback, ...this.options.trustedProxies])) {
      if ((this.ofSource.get(source) ?? 0) >= maxOfSource)
        return new RateLimitError(maxOfSource, retryAfter, 'connections')
      const own = [...this.newcomers.values()].filter((from) => from === source)
      if (own.length >= maxNewOfSource)
        return new RateLimitError(maxNewOfSource, retryAfter, 'new connections')
    }
    return this.newcomers.size < maxNew ? null : new UnavailableError('Too many connections', retryAfter)
  }

  private add(one: CallSocket, source: string): void {
    this.sockets.add(one)
    this.newcomers.set(one, source)
    this.ofSource.set(source, (this.ofSource.get(source) ?? 0) + 1)
  }

  private remove(one: CallSocket, source: string): void {
    this.sockets.delete(one)
    this.newcomers.delete(one)
    const left = (this.ofSource.get(source) ?? 1) - 1
    if (left > 0) this.ofSource.set(source, left)
    else this.ofSource.delete(source)
  }
}

function targetOf({ url = '', headers }: IncomingMessage, baseDomain: string): SocketTarget | null {
  const site = siteOf(headers.host ?? '', baseDomain)
  const path = url.split('?')[0] ?? ''
  const [, callId] = /^\/calls\/([A-Za-z0-9_-]{1,64})\/session$/.exec(path.slice(apiPrefix.length)) ?? []
  if (site.kind !== 'workspace' || !path.startsWith(apiPrefix) || !callId) return null
  return { workspaceId: site.id, callId }
}

function refuse(stream: Duplex, error: ApiError): void {
  const body = JSON.stringify(error.body())
  // Node no longer manages this connection, so it needs a deadline of its own.
  const timer = setTimeout(() => stream.destroy(), refusedMs)
  stream.once('close', () => clearTimeout(timer))
  stream.resume()
  stream.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json',
      ...('retryAfter' in error ? [`Retry-After: ${String(error.retryAfter)}`] : []),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}
