/** Connections that somebody makes and does nothing with. */
import { type Socket, connect } from 'node:net'
import { type Connection, createConnection } from 'mysql2/promise'

export class Crowd {
  private readonly sockets = new Set<Socket>()

  /** Opens `count` connections, and reopens those that are closed. */
  gather(port: number, count: number): void {
    for (let one = 0; one < count; one++) this.join(port)
  }

  /** Those that are up. */
  get size(): number {
    return [...this.sockets].filter(({ readyState }) => readyState === 'open').length
  }

  disperse(): void {
    for (const socket of this.sockets) socket.removeAllListeners('close').destroy()
    this.sockets.clear()
  }

  private join(port: number): void {
    const socket = connect(port, '127.0.0.1')
    this.sockets.add(socket)
    socket.on('error', () => undefined) // it is closed then
    socket.on('close', () => {
      this.sockets.delete(socket)
      setTimeout(() => {
        if (this.sockets.size > 0) this.join(port)
      }, 200).unref()
    })
  }
}

interface Login {
  port: number
  user: string
  password: string
}

/** Takes all connections to a database that are left. */
export class DatabaseCrowd {
  private constructor(private readonly connections: readonly Connection[]) {}

  static async gather({ port, user, password }: Login): Promise<DatabaseCrowd> {
    const connections: Connection[] = []
    for (;;) {
      try {
        const connection = await createConnection({ host: '127.0.0.1', port, user, password })
        connection.on('error', () => undefined) // the database ended
        connections.push(connection)
      } catch (error) {
        if ((error as { code?: string }).code === 'ER_CON_COUNT_ERROR') return new DatabaseCrowd(connections)
        for (const connection of connections) connection.destroy()
        throw error
      }
    }
  }

  get size(): number {
    return this.connections.length
  }

  disperse(): void {
    for (const connection of this.connections) connection.destroy()
  }
}
