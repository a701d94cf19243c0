/** The streams of this server: who may open one, what keeps it alive, and what ends it. */
import type { Logger } from 'pino'
import { credentialOf } from '../auth/credentials.js'
import type { Config } from '../../config/config.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { AgentActor, ClientActor, Tenant } from '../../infrastructure/http/endpoint.js'
import { ApiError, forbidden } from '../../infrastructure/http/errors.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { Subject, Subscriber } from './audience.js'
import type { EventHub, Greeting } from './event-hub.js'
import { eventFrame, heartbeatFrame } from './frames.js'
import { StreamBody } from './stream-body.js'

/** An agent or a client who opens a stream. */
export type Person = AgentActor | ClientActor

interface Options {
  hub: EventHub
  settings: Config['stream']
  /** @throws 404 or 403 if the person may not follow the call */
  checkCall: (workspace: Tenant, person: Person, callId: string) => Promise<void>
  /** What is running in a call, as the events of its start. */
  stateOf: (workspace: Tenant, callId: string) => Promise<CallState[]>
  /** Returns the credentials that are still valid. */
  validCredentials: (credentials: readonly string[]) => Promise<ReadonlySet<string>>
  log: Logger
}

/** Something that runs in a call now. A stream that opens later starts with it. */
export interface CallState {
  /** The event of its start, such as `recording.started`. */
  readonly event: string
  readonly at: Date
  readonly data: object
}

interface Request {
  callId: string | undefined
  /** Sent by a client; a client's token names no device. */
  deviceId: string | undefined
  /** The last event that the reader has received, if it reconnects. */
  lastEventId: string | undefined
}

const tickMs = 1_000
const revalidateMs = 10_000
/** A stream that was ended, and whose reader does not close it, is destroyed after this time. */
const lingerMs = 5_000

/** Apps reconnect within this range, so that they do not all come at once. */
const retryMs = { least: 1_000, most: 4_000 }

export class Streams {
  private timer: NodeJS.Timeout | undefined
  private readonly revalidating: RepeatingTask
  private stopped = false

  constructor(private readonly options: Options) {
    this.revalidating = new RepeatingTask(
      {
        everyMs: revalidateMs,
        log: options.log,
        failure: ['stream.check_failed', 'streams cannot be checked'],
      },
      async () => this.revalidate(),
    )
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), tickMs)
    this.revalidating.start()
  }

  /** Ends all streams. Their readers reconnect to the next server process. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    for (const stream of [...this.local()]) stream.end('server_stopping')
    await this.revalidating.stop()
  }

  /** @throws 403 too many are open, or the person may not follow the call; 404 no such call; 503 the server stops */
  async open(
    workspace: Tenant,
    person: Person,
    { callId, deviceId, lastEventId }: Request,
  ): Promise<StreamBody> {
    const { hub, settings } = this.options
    if (callId !== undefined) await this.options.checkCall(workspace, person, callId)
    if (this.stopped) throw new ApiError(503, 'The server is stopping: try again in a moment')
    const subject = subjectOf(person)
    this.checkRoom(workspace, subject, callId ?? null)
    const subscriber: Subscriber = {
      ...{ stream_id: newId('str'), workspace_id: workspace.id, ...subject, call_id: callId ?? null },
      credential: credentialOf(person),
      device_id: person.kind === 'agent' ? person.device_id : (deviceId ?? null),
    }
    const maxBacklogBytes = settings.max_backlog_kb * 1024
    const stream = new StreamBody({ subscriber, expiresAt: person.expires_at, maxBacklogBytes })
    const isResumed = lastEventId !== undefined
    let misses = true
    hub.attach(stream, lastEventId, (greeting) => {
      misses = !isResumed || !greeting.isComplete
      this.greet(stream, greeting, isResumed)
    })
    // An ending stream makes room for another at once.
    stream.once('ending', () => {
      hub.detach(stream)
      const timer = setTimeout(() => stream.destroy(), lingerMs)
      stream.once('close', () => clearTimeout(timer))
    })
    stream.once('close', () => hub.detach(stream))
    if (callId !== undefined && misses) await this.sendState(stream, workspace, callId)
    return stream
  }

  private checkRoom(workspace: Tenant, subject: Subject, callId: string | null): void {
    const { max_per_person, max_per_agent, max_clients, max_agents } = this.options.settings
    let [own, others] = [0, 0]
    for (const stream of this.options.hub.streamsIn(workspace)) {
      if (stream.kind === subject.kind) others += 1
      const isOwn = stream.kind === subject.kind && stream.id === subject.id
      // Streams about a call and the stream of everything else count separately.
      if (isOwn && (stream.call_id === null) === (callId === null)) own += 1
    }
    const [most, mostOfAll] =
      subject.kind === 'client' ? [max_per_person, max_clients] : [max_per_agent, max_agents]
    if (own >= most) {
      throw forbidden(`${most} streams are open already, the most that one person may have`)
    }
    if (others >= mostOfAll) {
      const who = subject.kind === 'client' ? 'Clients' : 'Agents'
      throw forbidden(`${who} of this workspace have ${mostOfAll} streams open, the most there may be`)
    }
  }

  private greet(stream: StreamBody, { head, isComplete }: Greeting, isResumed: boolean): void {
    const timestamp = new Date().toISOString()
    const { heartbeat } = this.options.settings
    const opened = { event: 'stream.opened', resumed: isResumed && isComplete, heartbeat, timestamp }
    const retry = Math.round(retryMs.least + Math.random() * (retryMs.most - retryMs.least))
    // A reader that resumes keeps its own position until an event follows.
    const id = isResumed ? {} : { id: head }
    stream.send(eventFrame({ ...id, retry, event: opened.event, data: opened }))
    if (isComplete) return
    const reset = { event: 'stream.reset', timestamp }
    stream.send(eventFrame({ id: head, event: reset.event, data: reset }))
  }

  /** Sends the call's state. Its frames have no id: readers resume from the events of the hub. */
  private async sendState(stream: StreamBody, workspace: Tenant, callId: string): Promise<void> {
    try {
      for (const { event, at, data } of await this.options.stateOf(workspace, callId)) {
        stream.send(eventFrame({ event, data: { event, ...data, timestamp: at.toISOString() } }))
      }
    } catch (error) {
      this.options.log.warn(
        { event: 'stream.state_missing', err: error, call: callId },
        'a stream was opened without the state of its call',
      )
    }
  }

  private tick(): void {
    const now = Date.now()
    const heartbeatMs = this.options.settings.heartbeat * 1000
    for (const stream of this.local()) {
      if (stream.expiresAt <= now) stream.end('token_expired')
      else if (now - stream.lastSentAt >= heartbeatMs) {
        stream.send(heartbeatFrame(this.options.hub.headOf(stream)))
      }
    }
  }

  /** Ends streams whose credential has ended on another server, or while the bus was down. */
  private async revalidate(): Promise<void> {
    const credentials = [...new Set([...this.local()].map(({ credential }) => credential))]
    if (credentials.length === 0) return
    const valid = await this.options.validCredentials(credentials)
    for (const stream of this.local()) {
      if (credentials.includes(stream.credential) && !valid.has(stream.credential))
        stream.end('session_ended')
    }
  }

  private *local(): Iterable<StreamBody> {
    for (const stream of this.options.hub.localStreams()) if (stream instanceof StreamBody) yield stream
  }
}

function subjectOf(person: Person): Subject {
  return person.kind === 'agent' ? { kind: 'agent', id: person.id } : { kind: 'client', id: person.sub }
}
