/** How many connections are kept, how many of them from one source, and for how long without a sign of life. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Network, loopback } from '../../lib/networks.js'
import { isAmong, sourceOf } from './client-address.js'

export interface ConnectionLimits {
  readonly maxConnections: number
  /** An office behind one address has some for each of its people. */
  readonly maxOfSource: number
  /** Connections of one source on which no request has come yet, nor a TLS handshake ended. */
  readonly maxNewOfSource: number
  /** Requests that wait on a connection for the answer to one before them. */
  readonly maxWaiting: number
  /** Idle timeout in milliseconds; longer than the pause between SSE heartbeats. */
  readonly idleMs: number
}

/** @param heartbeat seconds after which a stream without an event is sent something */
export function connectionLimits(heartbeat: number): ConnectionLimits {
  const idleMs = Math.max(180_000, heartbeat * 1000 + 60_000)
  return { maxConnections: 30_000, maxOfSource: 4_000, maxNewOfSource: 500, maxWaiting: 64, idleMs }
}

/** Holds servers to the limits. @param uncounted sources that speak for many: reverse proxies */
export function limitConnections(
  servers: readonly Server[],
  { maxConnections, maxOfSource, maxNewOfSource, idleMs }: ConnectionLimits,
  uncounted: readonly Network[],
): void {
  const counts = new Counts()
  const newcomers = new Counts()
  const known = new WeakSet<Socket>()
  /** What ends being new, by address and port: over TLS a request has another socket than its connection. */
  const settle = new Map<string, () => void>()
  const count = (socket: Socket) => {
    const { remoteAddress = '' } = socket
    // For a request whose upgrade is ignored, Node.js emits the event of its connection twice.
    if (known.has(socket) || isAmong(remoteAddress, [...loopback, ...uncounted])) return
    known.add(socket)
    const source = sourceOf(remoteAddress)
    if (counts.of(source) >= maxOfSource || newcomers.of(source) >= maxNewOfSource) {
      socket.destroy()
      return
    }
    counts.add(source)
    newcomers.add(source)
    const peer = peerOf(socket)
    const settled = () => {
      if (settle.get(peer) !== settled) return
      settle.delete(peer)
      newcomers.remove(source)
    }
    settle.set(peer, settled)
    socket.once('close', () => {
      counts.remove(source)
      settled()
    })
  }
  const heard = (socket: Socket) => settle.get(peerOf(socket))?.()
  for (const server of servers) {
    server.timeout = idleMs
    server.maxConnections = maxConnections
    server.on('connection', count)
    server.on('secureConnection', heard)
    for (const event of ['request', 'upgrade'])
      server.on(event, ({ socket }: { socket: Socket }) => heard(socket))
  }
}

function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

class Counts {
  private readonly counts = new Map<string, number>()

  of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  add(name: string): void {
    this.counts.set(name, this.of(name) + 1)
  }

  remove(name: string): void {
    if (this.of(name) > 1) this.counts.set(name, this.of(name) - 1)
    else this.counts.delete(name)
  }
}
