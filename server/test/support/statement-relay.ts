/** Stands between a server and its database, and stops what a server sends at a statement: the server is killed there. */
import type { Socket } from 'node:net'
import { TcpRelay } from './tcp-relay.js'

/**
 * How much of the statements arrives: none of them, a part, or all, of which the server learns nothing.
 */
export type Arriving = 'nothing' | 'a part' | 'all'

interface Trap {
  readonly statement: string
  readonly arriving: Arriving
  sprung(): void
}

export class StatementRelay extends TcpRelay {
  private trap: Trap | undefined
  /** Packets that came for the database. */
  packets = 0

  static async to(port: number): Promise<StatementRelay> {
    return new StatementRelay(port).listen()
  }

  /** Resolves when a packet with the statement has come; on that connection nothing passes any more. */
  async stopAt(statement: string, arriving: Arriving): Promise<void> {
    return new Promise((resolve) => {
      this.trap = { statement, arriving, sprung: resolve }
    })
  }

  protected override join(near: Socket): void {
    const far = this.dial(near)
    let isStopped = false
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
