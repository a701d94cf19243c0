/** Stands between a server and its database, and stops what a server sends at a statement: the server is killed there. */
import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'

/**
 * How much of the statements arrives: none of them, a part, or all, of which the server learns nothing.
 */
export type Arriving = 'nothing' | 'a part' | 'all'

interface Trap {
  readonly statement: string
  readonly arriving: Arriving
  sprung(): void
}

export class StatementRelay {
  private readonly sockets = new Set<Socket>()
  private trap: Trap | undefined
  /** Packets that came for the database. */
  packets = 0

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<StatementRelay> {
    const server = createServer()
    const relay = new StatementRelay(server)
    server.on('connection', (near) => relay.join(near, port))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return relay
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Resolves when a packet with the statement has come; on that connection nothing passes any more. */
  async stopAt(statement: string, arriving: Arriving): Promise<void> {
    return new Promise((resolve) => {
      this.trap = { statement, arriving, sprung: resolve }
    })
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  private join(near: Socket, port: number): void {
    const far = connect(port, '127.0.0.1')
    let isStopped = false
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
    far.on('data', (chunk) => {
      if (!isStopped) near.write(chunk)
    })
    near.on('data', (chunk) => {
      this.packets += 1
      if (isStopped) return
      const { trap } = this
      if (!trap || !chunk.includes(trap.statement)) {
        far.write(chunk)
        return
      }
      this.trap = undefined
      isStopped = true
      const bytes = { nothing: 0, 'a part': Math.floor(chunk.length / 2), all: chunk.length }[trap.arriving]
      if (bytes > 0) far.write(chunk.subarray(0, bytes))
      trap.sprung()
    })
  }
}
