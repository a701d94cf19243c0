import { ConnectionServer } from '../connection-server.js'
import { SmscConnection } from './smsc-connection.js'
import type { Smsc } from './smsc.js'

/** The SMSC's TCP server. */
export class SmscServer extends ConnectionServer<SmscConnection> {
  constructor(private readonly smsc: Smsc) {
    super((socket) => new SmscConnection(socket, smsc))
  }

  /** Closes the listener, cuts every connection, and forgets what was to be delivered. */
  override async close(): Promise<void> {
    this.smsc.stop()
    return super.close()
  }
}
