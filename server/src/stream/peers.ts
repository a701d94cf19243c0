/** Which servers there are, and whether what is known of their streams is right. */
import type { Subscriber } from './audience.js'
import type { Bus, PeerMessage } from './bus.js'
import type { PresenceChange, SessionTable } from './session-table.js'

interface Parts {
  bus: Bus
  table: SessionTable
  /** A server that has said nothing for so long is gone, and its streams with it. */
  silenceMs: number
  /** This server's own streams. */
  own: () => Iterable<Subscriber>
  /** The cell whose calls this server drives; null: none. */
  drives: () => string | null
  /** Told of changes that no server has told by itself. @param isMine whether this server is the one that tells them */
  tell: (change: PresenceChange, isMine: boolean) => void
  /** A server is gone. */
  gone: (serverId: string) => void
}

export class Peers {
  /** When each other server was heard last. */
  private readonly heard = new Map<string, number>()

  constructor(private readonly parts: Parts) {}

  /** The other servers that have been heard of late. */
  get others(): string[] {
    return [...this.heard.keys()]
  }

  /** This server has come to the others. */
  greet(): void {
    this.parts.bus.send({ kind: 'hello' })
    this.tellStreams()
  }

  /** Says that this server lives, and forgets those that do not; to be called every few seconds. */
  tick(now = Date.now()): void {
    const { bus, table, own, drives } = this.parts
    bus.send({ kind: 'alive', count: [...own()].length, drives: drives() })
    for (const [serverId, at] of this.heard) {
      if (now - at <= this.parts.silenceMs) continue
      this.heard.delete(serverId)
      this.tellChanges(serverId, table.replace(serverId, []))
      this.parts.gone(serverId)
    }
  }

  /** Some server has sent something. */
  hear(serverId: string): void {
    if (serverId !== this.parts.bus.serverId) this.heard.set(serverId, Date.now())
  }

  received(serverId: string, message: PeerMessage): void {
    const { bus, table } = this.parts
    if (serverId === bus.serverId) return
    switch (message.kind) {
      case 'hello':
        this.tellStreams()
        break
      case 'streams':
        this.tellChanges(serverId, table.replace(serverId, message.streams))
        break
      case 'alive':
        if (table.countOf(serverId) !== message.count) bus.send({ kind: 'hello' })
    }
  }

  private tellStreams(): void {
    this.parts.bus.send({ kind: 'streams', streams: [...this.parts.own()] })
  }

  /** Of all servers that see that another has gone, or is there again, one tells: the first by id. */
  private tellChanges(about: string, changes: readonly PresenceChange[]): void {
    const others = [...this.heard.keys()].filter((id) => id !== about)
    const isMine = !others.some((id) => id < this.parts.bus.serverId)
    for (const change of changes) this.parts.tell(change, isMine)
  }
}
