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

/** Carries messages to every server, its own included, in one order for all. */
export interface Bus {
  /** This server, among those on the bus. */
  readonly serverId: string
  send(message: BusMessage): void
  listen(handler: BusHandler): void
}

export interface BusHandler {
  received(serverId: string, message: BusMessage): void
}

/** The bus of a server that is alone: what is sent has arrived. */
export class LocalBus implements Bus {
  readonly serverId = 'here'
  private handler: BusHandler | undefined

  listen(handler: BusHandler): void {
    this.handler = handler
  }

  send(message: BusMessage): void {
    this.handler?.received(this.serverId, message)
  }
}
