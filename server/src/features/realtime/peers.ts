/** Which servers are alive, and whether this server knows all of their streams. */
import type { Subscriber } from './audience.js'
import type { Bus, PeerMessage } from './bus.js'
import type { PresenceChange, SessionTable } from './session-table.js'

interface Parts {
  bus: Bus
  table: SessionTable
  /** A server that has been silent for this time is gone, and its streams with it. */
  silenceMs: number
  /** This server's own streams. */
  own: () => Iterable<Subscriber>
  /** The cell whose calls this server drives; null: none. */
  drives: () => string | null
  /** Publishes changes that no server has published itself. @param isMine whether this server publishes them for all */
  publish: (change: PresenceChange, isMine: boolean) => void
  /** A server is gone. */
  gone: (serverId: string) => void
}

export class Peers {
  /** When each other server last sent something. */
  private readonly heard = new Map<string, number>()

  constructor(private readonly parts: Parts) {}

  /** The other servers that are alive. */
  get others(): string[] {
    return [...this.heard.keys()]
  }

  /** This server has joined the bus. */
  greet(): void {
    this.parts.bus.send({ kind: 'hello' })
    this.sendStreams()
  }

  /** Sends this server's heartbeat, and drops silent servers; to be called every few seconds. */
  tick(now = Date.now()): void {
    const { bus, table, own, drives } = this.parts
    bus.send({ kind: 'alive', count: [...own()].length, drives: drives() })
    for (const [serverId, at] of this.heard) {
      if (now - at <= this.parts.silenceMs) continue
      this.heard.delete(serverId)
      this.publishChanges(serverId, table.replace(serverId, []))
      this.parts.gone(serverId)
    }
  }

  /** Notes the time of a message from any server. */
  seen(serverId: string): void {
    if (serverId !== this.parts.bus.serverId) this.heard.set(serverId, Date.now())
  }

  received(serverId: string, message: PeerMessage): void {
    const { bus, table } = this.parts
    if (serverId === bus.serverId) return
    switch (message.kind) {
      case 'hello':
        this.sendStreams()
        break
      case 'streams':
        this.publishChanges(serverId, table.replace(serverId, message.streams))
        break
      case 'alive':
        if (table.countOf(serverId) !== message.count) bus.send({ kind: 'hello' })
    }
  }

  private sendStreams(): void {
    this.parts.bus.send({ kind: 'streams', streams: [...this.parts.own()] })
  }

  /** One of the servers that notice the change of another publishes it: the first by id. */
  private publishChanges(about: string, changes: readonly PresenceChange[]): void {
    const others = [...this.heard.keys()].filter((id) => id !== about)
    const isMine = !others.some((id) => id < this.parts.bus.serverId)
    for (const change of changes) this.parts.publish(change, isMine)
  }
}
