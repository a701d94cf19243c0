/** What servers tell one another. All that is said of streams takes this way, also on a single server. */
import type { ErrorBody } from '../http/errors.js'
import type { Subject, Subscriber } from './audience.js'
import type { SentEvent } from './logged-event.js'

/** Streams that are to end: those of which all holds that is said. */
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
  /** What another feature has all servers know. */
  | { readonly kind: 'shared'; readonly topic: string; readonly data: unknown }

/** What one server says to another. */
export type DirectMessage =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly body: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorBody }
  /** Not answered. */
  | { readonly kind: 'notice'; readonly name: string; readonly body: unknown }

/** How servers know of one another. */
export type PeerMessage =
  /** A server has come, or does not know all: everybody tells what streams they have. */
  | { readonly kind: 'hello' }
  /** All streams of a server. */
  | { readonly kind: 'streams'; readonly streams: readonly Subscriber[] }
  /** A server lives, has so many streams, and drives the calls of a cell; null: of none. */
  | { readonly kind: 'alive'; readonly count: number; readonly drives: string | null }

/** Carries messages to every server, its own included, in one order for all. */
export interface Bus {
  /** This server, among those on the bus. */
  readonly serverId: string
  send(message: BusMessage): void
  /** Says something to one other server. @throws {ServerGoneError} when it cannot be told */
  tell(serverId: string, message: DirectMessage): Promise<void>
  listen(handler: BusHandler): void
  /** Whether it carries; false while messages reach this server alone. */
  readonly isUp: boolean
  start(): void
  stop(): Promise<void>
}

export interface BusHandler {
  received(serverId: string, message: BusMessage): void
  /** Another server says something to this one. */
  told?(serverId: string, message: DirectMessage): void
  /** Others can be heard now, and may not know of this server. */
  connected?(): void
  /** Others can be heard no more: what they said meanwhile is lost. */
  lost?(): void
}

/** Nobody on the bus has this name, or the bus carries nothing now. */
export class ServerGoneError extends Error {}

/** The bus of a server that is alone: what is sent has arrived. */
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

  async tell(): Promise<void> {
    return Promise.reject(new ServerGoneError('there is no other server'))
  }

  start(): void {
    // There is nothing to connect with.
  }

  async stop(): Promise<void> {
    return Promise.resolve()
  }
}
