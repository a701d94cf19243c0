/** How many connections are kept, how many of them from one source, and for how long without a sign of life. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Network, loopback } from '../http-client/address-policy.js'
import { isAmong, sourceOf } from './client-address.js'

export interface ConnectionLimits {
  readonly maxConnections: number
  /** An office behind one address has some for each of its people. */
  readonly maxOfSource: number
  /** Requests that wait on a connection for the answer to one before them. */
  readonly maxWaiting: number
  /** Who neither sends nor takes anything for so long is gone, or never meant to; the silence between heartbeats is shorter. */
  readonly idleMs: number
}

/** @param heartbeat seconds after which a stream without an event is sent something */
export function connectionLimits(heartbeat: number): ConnectionLimits {
  const idleMs = Math.max(180_000, heartbeat * 1000 + 60_000)
  return { maxConnections: 30_000, maxOfSource: 10_000, maxWaiting: 64, idleMs }
}

/** Holds servers to the limits. @param uncounted sources that speak for many: reverse proxies */
export function limitConnections(
  servers: readonly Server[],
  { maxConnections, maxOfSource, idleMs }: ConnectionLimits,
  uncounted: readonly Network[],
): void {
  const counts = new Map<string, number>()
  const known = new WeakSet<Socket>()
  const count = (socket: Socket) => {
    const { remoteAddress = '' } = socket
    // A request whose wish for another protocol is passed over makes a server tell of its connection twice.
    if (known.has(socket) || isAmong(remoteAddress, [...loopback, ...uncounted])) return
    known.add(socket)
    const source = sourceOf(remoteAddress)
    const ofSource = (counts.get(source) ?? 0) + 1
    if (ofSource > maxOfSource) {
      socket.destroy()
      return
    }
    counts.set(source, ofSource)
    socket.once('close', () => {
      const left = (counts.get(source) ?? 1) - 1
      if (left > 0) counts.set(source, left)
      else counts.delete(source)
    })
  }
  for (const server of servers) {
    server.timeout = idleMs
    server.maxConnections = maxConnections
    server.on('connection', count)
  }
}
