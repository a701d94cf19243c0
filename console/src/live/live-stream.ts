/**
 * The event stream of the agent who is signed in. A person may have few streams, so one tab holds it and tells the
 * others. A stream that was cut goes on where it was; what was missed for good is asked for anew.
 */
import { accessToken } from '../session/access-token'
import { Silence } from './silence'

/** An event as the API streams it: `event`, `timestamp`, and what belongs to it. */
export type LiveEvent = Readonly<Record<string, unknown>> & {
  readonly event: string
  readonly timestamp: string
}

export type LiveState = 'connecting' | 'open' | 'lost'

type Listener = (event: LiveEvent) => void

/** Everything that the API streams to people (docs/integrate/apps.md, docs/messages/conversations.md). */
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
  ...['workspace.agent.state', 'live.calls'],
  ...['message.received', 'message.sent', 'message.delivered', 'message.undelivered', 'message.failed'],
  'conversation.updated',
  ...['stream.opened', 'stream.reset', 'stream.heartbeat', 'stream.closed'],
] as const

export type LiveEventName = (typeof names)[number]

const firstWaitMs = 1_000
const longestWaitMs = 20_000

/** What the tab that leads tells those that follow; and what one that has just come asks. */
interface Told {
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

  /** @param person tells one sign-in from another: tabs of the same one share their stream */
  constructor(person: string) {
    this.name = `jackfield.live ${person}`
    this.channel = new BroadcastChannel(this.name)
    this.channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (this.isLeading) {
        if (data.ask) this.tell({ state: this.state, lastEventId: this.lastEventId })
        return
      }
      if (data.lastEventId) this.lastEventId = data.lastEventId
      if (data.event) this.dispatch(data.event)
      if (data.state) this.setState(data.state)
    }
    this.tell({ ask: true })
    void this.lead()
  }

  /** Listens to one kind of event. @returns what ends it */
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

  /** Waits to be the tab that holds the stream, and holds it until the end. */
  private async lead(): Promise<void> {
    const { signal } = this.ending
    const hold = async () => {
      this.isLeading = true
      void this.open()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    }
    const locks = navigator.locks as LockManager | undefined
    // Without locks, on a page that came by plain http, every tab has a stream of its own.
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
      // Closed for good: refused, or answered by something else. Otherwise it comes back by itself.
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
    this.tell({ event, lastEventId: this.lastEventId })
    this.dispatch(event)
    // A token that has ended is of no use to the browser's own retry.
    if (event.event === 'stream.closed') this.comeBack()
  }

  private tell(what: Told): void {
    if (!this.isOver) this.channel.postMessage(what)
  }

  /** What fails in one listener is no reason for the others not to be told. */
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
    if (this.isLeading) this.tell({ state })
    for (const listener of this.stateListeners) listener()
  }
}
