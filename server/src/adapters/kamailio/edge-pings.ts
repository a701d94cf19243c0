/** Asks far ends whether they answer: the edge through which calls go out sends them OPTIONS (RFC 3261 section 11). */
import { randomUUID } from 'node:crypto'
import type { EdgeEvents } from './edge-events.js'
import type { Edges } from './edges.js'

/** The edge itself waits 2 s, and for a connection 3 s. */
const deadlineMs = 6_000

export interface Pong {
  /** Of the edge, `host:port`. */
  edge: string
  /** Of the answer; 0: there was none. */
  status: number
  milliseconds: number
}

export class EdgePings {
  private readonly waiting = new Map<string, (status: number, milliseconds: number) => void>()

  constructor(
    private readonly edges: Pick<Edges, 'current'>,
    events: EdgeEvents,
  ) {
    events.on('pong', (id, ...heard) => this.waiting.get(id)?.(...heard))
  }

  /** @param to the request URI @param nextHop where it is sent @returns null when the edge does not say what came of it */
  async ping(to: string, nextHop: string): Promise<Pong | null> {
    const { address: edge, client } = this.edges.current
    const id = randomUUID()
    return new Promise((resolve) => {
      const settle = (pong: Pong | null) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(pong)
      }
      const timer = setTimeout(() => settle(null), deadlineMs)
      this.waiting.set(id, (status, milliseconds) => settle({ edge, status, milliseconds }))
      client.ping(id, to, nextHop).catch(() => settle(null))
    })
  }
}
