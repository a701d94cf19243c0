/** A TCP relay that can be cut: stands between the server and its switch. */
import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'

export class TcpCut {
  private readonly sockets = new Set<Socket>()
  private refusing = false
  private isSilent = false
  /** How often what it carries was disturbed. */
  cuts = 0

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<TcpCut> {
    const server = createServer()
    const cut = new TcpCut(server)
    server.on('connection', (near) => cut.relay(near, port))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return cut
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Drops what is connected, and refuses new connections for a while. */
  async cut(ms: number): Promise<void> {
    this.cuts += 1
    this.refusing = true
    for (const socket of this.sockets) socket.resetAndDestroy()
    await new Promise((done) => setTimeout(done, ms))
    this.refusing = false
  }

  /** Of what is connected nothing passes any more, and neither end hears of it: as when the machine behind it is dead. */
  freeze(): void {
    this.cuts += 1
    for (const socket of this.sockets) {
      socket.unpipe()
      socket.pause()
    }
  }

  /** {@link freeze}, and new connections get no further than to us, until {@link speak}. */
  silence(): void {
    this.isSilent = true
    this.freeze()
  }

  /** Passes on again what connects anew; what was frozen is reset. */
  speak(): void {
    this.isSilent = false
    for (const socket of this.sockets) if (socket.isPaused()) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  private relay(near: Socket, port: number): void {
    if (this.refusing) {
      near.destroy()
      return
    }
    if (this.isSilent) {
      this.sockets.add(near.pause())
      near.on('error', () => undefined)
      near.on('close', () => this.sockets.delete(near))
      return
    }
    const far = connect(port, '127.0.0.1')
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
      socket.pipe(other)
    }
  }
}
