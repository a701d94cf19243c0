/** The SMSC's TCP server. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import { SmscConnection } from './smsc-connection.js'
import type { Smsc } from './smsc.js'

/** More clients at once than any appliance has. */
const MOST_CLIENTS = 100

export class SmscServer {
  readonly #connections = new Set<SmscConnection>()
  readonly #server: Server

  constructor(private readonly smsc: Smsc) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      const connection = new SmscConnection(socket, smsc)
      this.#connections.add(connection)
      socket.once('close', () => this.#connections.delete(connection))
    })
    this.#server.maxConnections = MOST_CLIENTS
  }

  /**
   * @param port 0 takes a free one
   * @returns the port
   * @throws {Error} when the address is taken
   */
  async listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** Closes the listener, cuts every connection, and forgets what was to be delivered. */
  async close(): Promise<void> {
    this.smsc.stop()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const connection of this.#connections) connection.cut()
    })
  }
}
