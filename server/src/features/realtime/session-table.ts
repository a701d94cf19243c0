/** The live streams of all servers, as the bus reports them. */
import type { Subject, Subscriber } from './audience.js'
import { StreamIndex } from './stream-index.js'

/** A subject's first stream has opened, or its last one has closed. */
export interface PresenceChange extends Subject {
  readonly workspace_id: string
  readonly live: boolean
}

/** A live stream, and the server that has it. */
export interface Session extends Subscriber {
  readonly server_id: string
}

export class SessionTable {
  readonly streams = new StreamIndex<Session>()
  /** The streams of each server, by id. */
  private readonly servers = new Map<string, Map<string, Session>>()

  isLive(streamId: string): boolean {
    return [...this.servers.values()].some((streams) => streams.has(streamId))
  }

  opened(serverId: string, stream: Subscriber): PresenceChange | undefined {
    const known = this.servers.get(serverId) ?? new Map<string, Session>()
    this.servers.set(serverId, known)
    if (known.has(stream.stream_id)) return undefined
    const wasLive = this.hasAny(stream)
    const session = { ...stream, server_id: serverId }
    known.set(stream.stream_id, session)
    this.streams.add(session)
    return wasLive ? undefined : this.changeOf(stream, true)
  }

  closed(serverId: string, { stream_id }: Pick<Subscriber, 'stream_id'>): PresenceChange | undefined {
    const known = this.servers.get(serverId)
    const stream = known?.get(stream_id)
    if (!known || !stream) return undefined
    known.delete(stream_id)
    this.streams.remove(stream)
    return this.hasAny(stream) ? undefined : this.changeOf(stream, false)
  }

  /** Replaces the streams of a server. @returns the changes of presence */
  replace(serverId: string, streams: readonly Subscriber[]): PresenceChange[] {
    const now = new Set(streams.map(({ stream_id }) => stream_id))
    const gone = [...(this.servers.get(serverId)?.values() ?? [])].filter(
      ({ stream_id }) => !now.has(stream_id),
    )
    const changes = [
      ...streams.map((stream) => this.opened(serverId, stream)),
      ...gone.map((stream) => this.closed(serverId, stream)),
    ]
    if (streams.length === 0) this.servers.delete(serverId)
    return changes.filter((change) => change !== undefined)
  }

  countOf(serverId: string): number {
    return this.servers.get(serverId)?.size ?? 0
  }

  private hasAny(stream: Subscriber): boolean {
    return this.streams.of(stream.workspace_id, stream).size > 0
  }

  /** A stream about a call does not count as presence. */
  private changeOf(
    { workspace_id, kind, id, call_id }: Subscriber,
    live: boolean,
  ): PresenceChange | undefined {
    return call_id === null ? { workspace_id, kind, id, live } : undefined
  }
}
