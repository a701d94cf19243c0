/** Connections of the FCM library that can be led elsewhere, and that let a request through once only. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientRequest } from 'node:http'
import { Agent, type RequestOptions } from 'node:https'
import { connect as connectPlain } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'

interface Try {
  readonly signal: AbortSignal
  socket?: Duplex
}

/**
 * The library repeats a request up to four times by itself, for as long as the service asks it to wait, and has no way to
 * stop it: a ring would go out after the call it rings for. So every send of ours gets a socket once, and loses it when its
 * signal says so.
 */
export class SingleTryAgent extends Agent {
  private readonly tries = new AsyncLocalStorage<Try>()

  /** @param origin where connections lead in place of the request's own host; null for that */
  constructor(private readonly origin: URL | null) {
    super({ keepAlive: true, timeout: 60_000 })
  }

  /** Runs a send; its first request goes out, others fail. */
  async sendOnce<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    const one: Try = { signal }
    const end = () => one.socket?.destroy()
    signal.addEventListener('abort', end, { once: true })
    try {
      return await this.tries.run(one, send)
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const one = this.allowed()
    const socket = this.origin ? this.connectTo(this.origin) : super.createConnection(options, callback)
    if (socket) one.socket = socket
    return socket
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request)
    try {
      this.allowed().socket = socket
    } catch (error) {
      request.destroy(error as Error)
    }
  }

  private connectTo({ protocol, hostname, port }: URL): Duplex {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    return protocol === 'http:'
      ? connectPlain({ host, port: Number(port || 80) })
      : connectTls({ host, port: Number(port || 443), servername: host })
  }

  private allowed(): Try {
    const one = this.tries.getStore()
    if (!one || one.socket || one.signal.aborted) throw new Error('sent once only')
    return one
  }
}
