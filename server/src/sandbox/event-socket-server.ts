import { ConnectionServer } from './connection-server.js'
import { EventSocketConnection } from './event-socket-connection.js'
import type { SandboxSwitch } from './sandbox-switch.js'

/** The Event Socket's TCP server. */
export class EventSocketServer extends ConnectionServer<EventSocketConnection> {
  constructor(sandbox: SandboxSwitch, password: string) {
    super((socket) => new EventSocketConnection(socket, sandbox, password))
  }
}
