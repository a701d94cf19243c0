/** A TCP server that knows its connections, as it cuts them when it closes. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** More clients at once than any appliance has. */
const MOST_CLIENTS = 100

export class ConnectionServer<C extends { cut(): void }> {
  readonly #connections = new Set<C>()
  readonly #server: Server

  constructor(connect: (socket: Socket) => C) {
    this.#server = createServer({ noDelay: true }, (socket) => {
      const connection = connect(socket)
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

  /** Closes the listener and cuts every connection. */
  async close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const connection of this.#connections) connection.cut()
    })
  }
}
