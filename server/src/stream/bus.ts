/** What servers tell one another of streams. Everything takes this way, also on a single server. */
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

/** How servers know of one another. */
export type PeerMessage =
  /** A server has come, or does not know all: everybody tells what streams they have. */
  | { readonly kind: 'hello' }
  /** All streams of a server. */
  | { readonly kind: 'streams'; readonly streams: readonly Subscriber[] }
  /** A server lives, and has so many streams. */
  | { readonly kind: 'alive'; readonly count: number }

/** Carries messages to every server, its own included, in one order for all. */
export interface Bus {
  /** This server, among those on the bus. */
  readonly serverId: string
  send(message: BusMessage): void
  listen(handler: BusHandler): void
  /** Whether it carries; false while messages reach this server alone. */
  readonly isUp: boolean
  start(): void
  stop(): Promise<void>
}

export interface BusHandler {
  received(serverId: string, message: BusMessage): void
  /** Others can be heard now, and may not know of this server. */
  connected(): void
}

/** The bus of a server that is alone: what is sent has arrived. */
export class LocalBus implements Bus {
  readonly serverId = 'here'
  readonly isUp = true
  private handler: BusHandler | undefined

  listen(handler: BusHandler): void {
    this.handler = handler
  }

  send(message: BusMessage): void {
    this.handler?.received(this.serverId, message)
  }

  start(): void {
    // There is nothing to connect with.
  }

  async stop(): Promise<void> {
    return Promise.resolve()
  }
}
