/** A TCP relay that can be cut: stands between the server and its switch. */
import type { Socket } from 'node:net'
import { TcpRelay } from './tcp-relay.js'

export class TcpCut extends TcpRelay {
  private refusing = false
  private isSilent = false
  /** How often what it carries was disturbed. */
  cuts = 0

  static async to(port: number): Promise<TcpCut> {
    return new TcpCut(port).listen()
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

  protected override join(near: Socket): void {
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
    const far = this.dial(near)
    near.pipe(far)
    far.pipe(near)
  }
}
