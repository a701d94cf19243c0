/** Messages between servers. All changes of streams take this way, also on a single server. */
import type { ErrorBody } from '../../infrastructure/http/errors.js'
import type { Subject, Subscriber } from './audience.js'
import type { SentEvent } from './logged-event.js'

/** Streams that are to end: those that match all of these fields. */
export interface Closing {
  readonly workspace_id?: string
  readonly subject?: Subject
  /** An agent's session, or the key that signed clients' tokens. */
  readonly credential?: string
}

export type BusMessage =
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'opened'; readonly stream: Subscriber }
  | { readonly kind: 'closed'; readonly stream: Subscriber }
  | { readonly kind: 'close'; readonly closing: Closing; readonly reason: string }
  | PeerMessage
  /** Data that another feature shares with all servers. */
  | { readonly kind: 'shared'; readonly topic: string; readonly data: unknown }

/** A message from one server to another. */
export type DirectMessage =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly body: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorBody }
  /** Gets no answer. */
  | { readonly kind: 'notice'; readonly name: string; readonly body: unknown }

/** How servers learn about one another. */
export type PeerMessage =
  /** A server has joined, or misses streams: every server sends the streams that it has. */
  | { readonly kind: 'hello' }
  /** All streams of a server. */
  | { readonly kind: 'streams'; readonly streams: readonly Subscriber[] }
  /** A server's heartbeat: how many streams it has, and the cell whose calls it drives; null: none. */
  | { readonly kind: 'alive'; readonly count: number; readonly drives: string | null }

/** Carries messages to every server, its own included, in one order for all. */
export interface Bus {
  /** This server's id on the bus. */
  readonly serverId: string
  send(message: BusMessage): void
  /** Sends to one other server. @throws {ServerGoneError} if it cannot be reached */
  sendTo(serverId: string, message: DirectMessage): Promise<void>
  listen(handler: BusHandler): void
  /** Whether the other servers can be reached; false while messages reach this server alone. */
  readonly isUp: boolean
  start(): void
  stop(): Promise<void>
}

export interface BusHandler {
  received(serverId: string, message: BusMessage): void
  /** Another server has sent a message to this one. */
  receivedDirect?(serverId: string, message: DirectMessage): void
  /** The other servers can be reached now, and may not know this one. */
  connected?(): void
  /** The other servers cannot be reached any more: their messages are lost meanwhile. */
  lost?(): void
}

/** No server on the bus has this id, or the bus is down. */
export class ServerGoneError extends Error {}

/** The bus of a single server: it delivers at once. */
export class LocalBus implements Bus {
  readonly serverId = 'here'
  readonly isUp = true
  private readonly handlers: BusHandler[] = []

  listen(handler: BusHandler): void {
    this.handlers.push(handler)
  }

  send(message: BusMessage): void {
    for (const handler of this.handlers) handler.received(this.serverId, message)
  }

  async sendTo(): Promise<void> {
    return Promise.reject(new ServerGoneError('there is no other server'))
  }

  start(): void {
    // Nothing to connect to.
  }

  async stop(): Promise<void> {
    return Promise.resolve()
  }
}
