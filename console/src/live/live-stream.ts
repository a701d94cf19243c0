/**
 * The event stream of the signed-in agent. Streams per agent are limited, so one tab holds it and forwards events to
 * the others. An interrupted stream resumes at its last event; after missed events everything is refetched.
 */
import { accessToken } from '../session/access-token'
import { Silence } from './silence'

/** An event as the API streams it: `event`, `timestamp`, and its payload. */
export type LiveEvent = Readonly<Record<string, unknown>> & {
  readonly event: string
  readonly timestamp: string
}

export type LiveState = 'connecting' | 'open' | 'lost'

type Listener = (event: LiveEvent) => void

/** All events of the API's stream (docs/integrate/apps.md, docs/messages/conversations.md). */
const names = [
  ...[
    'call.ring',
    'call.canceled',
    'call.created',
    'call.ringing',
    'call.answered',
    'call.started',
    'call.ended',
  ],
  ...['recording.started', 'recording.paused', 'recording.resumed', 'recording.completed'],
  ...['workspace.agent.state', 'live.calls', 'waiting.changed'],
  ...['message.received', 'message.sent', 'message.delivered', 'message.undelivered', 'message.failed'],
  'conversation.updated',
  ...['stream.opened', 'stream.reset', 'stream.heartbeat', 'stream.closed'],
] as const

export type LiveEventName = (typeof names)[number]

const firstWaitMs = 1_000
const longestWaitMs = 20_000

/** Messages between tabs: from the leader to the followers, and the question of a new tab. */
interface TabMessage {
  state?: LiveState
  event?: LiveEvent
  lastEventId?: string
  ask?: true
}

export class LiveStream {
  private readonly listeners = new Map<string, Set<Listener>>()
  private readonly stateListeners = new Set<() => void>()
  private readonly name: string
  private readonly channel: BroadcastChannel
  private readonly ending = new AbortController()
  private readonly silence = new Silence(() => this.comeBack())
  private isLeading = false
  private source: EventSource | undefined
  private lastEventId = ''
  private waitMs = firstWaitMs
  private timer: number | undefined
  state: LiveState = 'connecting'

  /** @param person identifies the sign-in: tabs of the same one share a stream */
  constructor(person: string) {
    this.name = `jackfield.live ${person}`
    this.channel = new BroadcastChannel(this.name)
    this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (this.isLeading) {
        if (data.ask) this.post({ state: this.state, lastEventId: this.lastEventId })
        return
      }
      if (data.lastEventId) this.lastEventId = data.lastEventId
      if (data.event) this.dispatch(data.event)
      if (data.state) this.setState(data.state)
    }
    this.post({ ask: true })
    void this.lead()
  }

  /** Subscribes to one kind of event. @returns the unsubscribe function */
  on(name: LiveEventName, listener: Listener): () => void {
    const those = this.listeners.get(name) ?? new Set()
    this.listeners.set(name, those.add(listener))
    return () => those.delete(listener)
  }

  onState(listener: () => void): () => void {
    this.stateListeners.add(listener)
    return () => this.stateListeners.delete(listener)
  }

  end(): void {
    this.ending.abort()
    this.close()
    this.channel.close()
  }

  private get isOver(): boolean {
    return this.ending.signal.aborted
  }

  /** Waits to become the leading tab, and holds the stream until the end. */
  private async lead(): Promise<void> {
    const { signal } = this.ending
    const hold = async () => {
      this.isLeading = true
      void this.open()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    }
    const locks = navigator.locks as LockManager | undefined
    // Without Web Locks, on a page over plain HTTP, every tab has its own stream.
    await (locks ? locks.request(this.name, { signal }, hold) : hold()).catch(() => undefined)
  }

  private async open(): Promise<void> {
    if (this.isOver) return
    this.close()
    let token: string
    try {
      token = await accessToken()
    } catch {
      this.comeBack()
      return
    }
    if (this.isOver) return
    const query = new URLSearchParams({ token, ...(this.lastEventId && { last_event_id: this.lastEventId }) })
    const source = new EventSource(`/api/v1/stream?${query.toString()}`)
    this.source = source
    this.silence.begins()
    source.onerror = () => {
      this.setState('lost')
      // Closed for good: refused, or not an event stream. Otherwise the browser reconnects.
      if (source.readyState === EventSource.CLOSED) this.comeBack()
    }
    for (const name of names) {
      source.addEventListener(name, (message: MessageEvent<string>) => this.take(message))
    }
  }

  private take({ data, lastEventId }: MessageEvent<string>): void {
    if (lastEventId) this.lastEventId = lastEventId
    const event = JSON.parse(data) as LiveEvent
    this.silence.isBroken(event)
    if (event.event === 'stream.opened') {
      this.waitMs = firstWaitMs
      this.setState('open')
    }
    this.post({ event, lastEventId: this.lastEventId })
    this.dispatch(event)
    // The browser's own reconnect would use the expired token.
    if (event.event === 'stream.closed') this.comeBack()
  }

  private post(what: TabMessage): void {
    if (!this.isOver) this.channel.postMessage(what)
  }

  /** An error in one listener must not keep the event from the others. */
  private dispatch(event: LiveEvent): void {
    for (const listener of this.listeners.get(event.event) ?? []) {
      try {
        listener(event)
      } catch (error) {
        reportError(error)
      }
    }
  }

  private comeBack(): void {
    if (this.isOver) return
    this.close()
    this.setState('lost')
    this.timer = window.setTimeout(() => void this.open(), this.waitMs * (0.5 + Math.random() / 2))
    this.waitMs = Math.min(this.waitMs * 2, longestWaitMs)
  }

  private close(): void {
    window.clearTimeout(this.timer)
    this.silence.end()
    this.source?.close()
    this.source = undefined
  }

  private setState(state: LiveState): void {
    if (state === this.state || this.isOver) return
    this.state = state
    if (this.isLeading) this.post({ state })
    for (const listener of this.stateListeners) listener()
  }
}
