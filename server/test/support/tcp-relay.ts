/** A TCP relay to a port of this machine, for tests that disturb what passes. */
import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'

export abstract class TcpRelay {
  protected readonly sockets = new Set<Socket>()
  private readonly server: Server

  protected constructor(private readonly farPort: number) {
    this.server = createServer((near) => this.join(near))
  }

  protected async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return this
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  /** Takes a new connection. */
  protected abstract join(near: Socket): void

  /** Connects to the port; each end ends with the other. Nothing passes yet. */
  protected dial(near: Socket): Socket {
    const far = connect(this.farPort, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.sockets.delete(socket)
        other.destroy()
      })
    }
    return far
  }
}
