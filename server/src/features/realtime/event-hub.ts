/**
 * Publishes events to the live streams of agents and clients, and knows who has a live stream. Events are stored for a
 * short while for streams that were cut. Events that must not be lost also go to webhooks.
 */
import type { Logger } from 'pino'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type Audience, type Subject, type Subscriber, subjectKey } from './audience.js'
import type { Bus, BusMessage, Closing } from './bus.js'
import { EventLog, type LogBounds } from './event-log.js'
import { type GuardedMaker, LoggedEvent, type Personal, type SentEvent } from './logged-event.js'
import { Peers } from './peers.js'
import { type PresenceChange, SessionTable } from './session-table.js'
import { StreamIndex } from './stream-index.js'

/** Makes the data of an event for one stream; undefined if the stream does not get it. */
export type DataMaker = (stream: Subscriber) => object | undefined

/** An event to publish. */
export interface HubEvent {
  workspace_id: string
  /** For example `call.ring`. */
  event: string
  to: Audience
  /**
   * The fields that follow `event`. A function is called once for each stream, and its result goes to that stream
   * alone; streams about a call do not get such events.
   */
  data: object | DataMaker
  /** The call that it is about. The audience may include the streams about that call. */
  call_id?: string
  /** When it happened; now by default. */
  at?: Date
  /** `evt_…`; the id of the same event in webhooks, if it has one. */
  id?: string
}

/** A stream of this server. */
export interface LocalStream extends Subscriber {
  send(frame: Buffer): void
  /** Sends the reason and ends the stream. */
  end(reason: string): void
}

/** Subjects of a workspace with a live stream, on any server. */
export interface LiveSubjects {
  /** By id. */
  readonly agents: ReadonlySet<string>
  /** By `sub`. */
  readonly clients: ReadonlySet<string>
}

/** The first frame of a stream. */
export interface Greeting {
  /** The id from which its reader resumes. */
  readonly head: string
  /** Whether all events since the reader's last one follow. */
  readonly isComplete: boolean
}

const sweepMs = 10_000

interface Settings {
  /** The events of a workspace that streams can catch up on. */
  readonly bounds: LogBounds
  /** Interval of this server's heartbeat, and the silence after which another server is dead. */
  readonly aliveMs: number
  readonly silenceMs: number
}

const defaults: Settings = {
  bounds: { maxEvents: 2_000, maxBytes: 1_000_000, maxAgeMs: 120_000 },
  aliveMs: 5_000,
  silenceMs: 20_000,
}

/** Called on one server of all: where the stream opened or closed. */
export type PresenceListener = (change: PresenceChange) => void

export class EventHub {
  private readonly local = new StreamIndex<LocalStream>()
  private readonly table = new SessionTable()
  private readonly logs = new Map<string, EventLog>()
  private readonly peers: Peers
  private timers: NodeJS.Timeout[] = []
  private readonly listeners = new Set<PresenceListener>()
  private readonly everywhere = new Set<PresenceListener>()
  private readonly readers = new Map<string, (event: SentEvent) => void>()
  private readonly goneListeners = new Set<(serverId: string) => void>()
  private drives: () => string | null = () => null
  /** Makers of personal events that this server has sent and the bus has not returned yet. */
  private readonly makers = new Map<string, GuardedMaker>()

  constructor(
    private readonly bus: Bus,
    private readonly log: Logger,
    private readonly settings: Settings = defaults,
  ) {
    this.peers = new Peers({
      ...{ bus, table: this.table, silenceMs: settings.silenceMs },
      own: () => [...this.local.all()].map(subscriberOf),
      drives: () => this.drives(),
      publish: (change, isMine) => this.publishPresence(change, isMine),
      gone: (serverId) => {
        for (const listener of this.goneListeners) listener(serverId)
      },
    })
    bus.listen({
      received: (serverId, message) => this.received(serverId, message),
      connected: () => this.peers.greet(),
    })
  }

  /** Whether a workspace has listeners, or streams that may resume. If not, events need not be prepared. */
  isHeard(workspaceId: string): boolean {
    return this.logs.has(workspaceId)
  }

  /** Publishes an event. Never throws, and does nothing if the workspace has no listeners. */
  publish({ workspace_id, event, to, data, call_id, at, id }: HubEvent): void {
    if (!this.isHeard(workspace_id)) return
    const personal = typeof data === 'function'
    const facts = {
      ...{ id: id ?? newId('evt'), workspace_id, event, to, personal },
      call_id: call_id ?? null,
      timestamp: (at ?? new Date()).toISOString(),
    }
    if (!personal) {
      this.bus.send({ kind: 'event', event: { ...facts, data } })
      return
    }
    const make = this.guarded(data as DataMaker)
    const own: Record<string, Personal> = {}
    for (const stream of this.table.streams.reachedBy(facts)) {
      own[stream.stream_id] = { subject: subjectKey(stream), data: make(stream) ?? null }
    }
    this.makers.set(facts.id, make)
    this.bus.send({ kind: 'event', event: { ...facts, data: {}, own } })
  }

  /** Subjects with a live stream of all their events. */
  sessions(workspace: Owner): LiveSubjects {
    const subjects = this.table.streams.subjects(workspace.id)
    const of = (kind: Subject['kind']) =>
      new Set(subjects.filter((one) => one.kind === kind).map(({ id }) => id))
    return { agents: of('agent'), clients: of('client') }
  }

  /** A subject's live streams, on any server. */
  streamsOf(workspace: Owner, subject: Subject): readonly Subscriber[] {
    return [...this.table.streams.of(workspace.id, subject)]
  }

  /** Every live stream of a workspace, those about a call among them. */
  *streamsIn(workspace: Owner): Iterable<Subscriber> {
    // The bus may not have returned this server's newest streams yet.
    yield* this.local.in(workspace.id)
    for (const session of this.table.streams.in(workspace.id)) {
      if (session.server_id !== this.bus.serverId) yield session
    }
  }

  /** Whether somebody has a stream about a call. */
  isWatched(workspaceId: string, callId: string): boolean {
    return this.table.streams.isWatched(workspaceId, callId)
  }

  /**
   * Calls `listener` when a subject's first stream opens and when its last one closes.
   * @returns unsubscribes
   */
  onPresence(listener: PresenceListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** As {@link onPresence}, on every server. */
  onPresenceEverywhere(listener: PresenceListener): void {
    this.everywhere.add(listener)
  }

  /** Subscribes to events of one name that other servers publish. */
  onForeign(event: string, reader: (event: SentEvent) => void): void {
    this.readers.set(event, reader)
  }

  /** Calls `listener` when a server has been silent for so long that it is gone. */
  onGone(listener: (serverId: string) => void): void {
    this.goneListeners.add(listener)
  }

  /** Sends the driven cell with every heartbeat. @param drives the cell whose calls this server drives; null: none */
  announceDriven(drives: () => string | null): void {
    this.drives = drives
  }

  /**
   * Ends streams, on every server.
   * @param reason shown to the app: `session_ended`, `workspace_suspended`, `workspace_deleted`
   */
  close(closing: Closing, reason: string): void {
    this.bus.send({ kind: 'close', closing, reason })
  }

  /**
   * Adds a stream of this server, and sends what it has missed.
   * @param lastEventId the last event that its reader has received, if it reconnects
   * @param greet sends the first frames
   */
  attach(stream: LocalStream, lastEventId: string | undefined, greet: (greeting: Greeting) => void): void {
    const subscriber = subscriberOf(stream)
    const log = this.logOf(subscriber)
    const missed = lastEventId === undefined ? [] : log.since(lastEventId, subscriber)
    greet({ head: log.head, isComplete: missed !== null })
    for (const event of missed ?? []) this.deliver(event, stream)
    this.local.add(stream)
    this.bus.send({ kind: 'opened', stream: subscriber })
  }

  detach(stream: LocalStream): void {
    this.local.remove(stream)
    this.bus.send({ kind: 'closed', stream: subscriberOf(stream) })
  }

  /** The id from which an up-to-date reader resumes. */
  headOf(stream: Subscriber): string {
    return this.logOf(stream).head
  }

  /** This server's id, and the ids of the other servers that are alive. */
  get servers(): { own: string; others: string[] } {
    return { own: this.bus.serverId, others: this.peers.others }
  }

  /** The streams of this server. */
  localStreams(): Iterable<LocalStream> {
    return this.local.all()
  }

  /** Whether events reach other servers, if there are any. */
  get isShared(): boolean {
    return this.bus.isUp
  }

  start(): void {
    this.bus.start()
    this.timers = [
      setInterval(() => this.sweep(), sweepMs),
      setInterval(() => this.peers.tick(), this.settings.aliveMs),
    ]
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    await this.bus.stop()
  }

  /** Removes old events, and the logs of workspaces without streams. */
  sweep(): void {
    for (const [workspaceId, log] of this.logs) {
      log.trim()
      if (log.isIdle() && !this.table.streams.has(workspaceId)) this.logs.delete(workspaceId)
    }
  }

  /** A failure to make the data of one stream is logged, and the stream does not get the event. */
  private guarded(make: DataMaker): GuardedMaker {
    return (stream) => {
      try {
        return make(stream)
      } catch (error) {
        this.log.error({ event: 'stream.event_failed', err: error }, 'an event could not be made')
        return undefined
      }
    }
  }

  private received(serverId: string, message: BusMessage): void {
    this.peers.seen(serverId)
    switch (message.kind) {
      case 'event':
        if (serverId !== this.bus.serverId) this.readers.get(message.event.event)?.(message.event)
        this.distribute(message.event)
        break
      case 'opened':
        this.logOf(message.stream)
        this.publishOwn(serverId, this.table.opened(serverId, message.stream))
        break
      case 'closed':
        this.logs.get(message.stream.workspace_id)?.touch()
        this.publishOwn(serverId, this.table.closed(serverId, message.stream))
        break
      case 'close':
        this.end(message.closing, message.reason)
        break
      case 'streams':
        for (const stream of message.streams) this.logOf(stream)
        this.peers.received(serverId, message)
        break
      case 'hello':
      case 'alive':
        this.peers.received(serverId, message)
        break
      case 'shared':
    }
  }

  private distribute(sent: SentEvent): void {
    const event = new LoggedEvent(sent, this.makers.get(sent.id))
    this.makers.delete(sent.id)
    this.logOf(sent).add(event)
    for (const stream of this.local.reachedBy(event)) this.deliver(event, stream)
  }

  private deliver(event: LoggedEvent, stream: LocalStream): void {
    const frame = event.frameFor(stream, (id) => this.table.isLive(id))
    if (frame) stream.send(frame)
  }

  /** Each server publishes the presence of its own streams. */
  private publishOwn(serverId: string, change: PresenceChange | undefined): void {
    if (change) this.publishPresence(change, serverId === this.bus.serverId)
  }

  private publishPresence(change: PresenceChange, isMine: boolean): void {
    for (const listener of [...this.everywhere, ...(isMine ? this.listeners : [])]) {
      try {
        listener(change)
      } catch (error) {
        this.log.error(
          { event: 'stream.presence_listener_failed', err: error },
          'a listener to presence failed',
        )
      }
    }
  }

  private end({ workspace_id, subject, credential }: Closing, reason: string): void {
    const streams = workspace_id === undefined ? this.local.all() : this.local.in(workspace_id)
    const ended = [...streams].filter(
      (stream) =>
        (!subject || (stream.kind === subject.kind && stream.id === subject.id)) &&
        (credential === undefined || stream.credential === credential),
    )
    for (const stream of ended) stream.end(reason)
  }

  private logOf({ workspace_id }: { workspace_id: string }): EventLog {
    const log = this.logs.get(workspace_id) ?? new EventLog(newId('evt'), this.settings.bounds)
    this.logs.set(workspace_id, log)
    return log
  }
}

function subscriberOf(stream: LocalStream): Subscriber {
  const { stream_id, workspace_id, kind, id, call_id, credential, device_id } = stream
  return { stream_id, workspace_id, kind, id, call_id, credential, device_id }
}
