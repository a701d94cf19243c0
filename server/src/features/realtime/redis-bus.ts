/**
 * The bus of several servers: one channel of Redis, which brings every message to all in the same order, and one for
 * each server. While Redis is away, or a message does not come back from it in time, this server hears its own without it.
 */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Bus, type BusHandler, type BusMessage, type DirectMessage, ServerGoneError } from './bus.js'

/** A message on this server's own channel. */
interface Letter {
  readonly from: string
  readonly said: DirectMessage
}

interface Envelope {
  readonly from: string
  /** Counts this server's messages. */
  readonly number: number
  readonly message: BusMessage
}

/** A message that Redis has not returned yet. */
interface Pending {
  readonly message: BusMessage
  readonly sentAt: number
}

/** A message that Redis has not returned within this time is delivered here. */
const patienceMs = 1_000
const lookMs = 250
const maxPending = 5_000

export class RedisBus implements Bus {
  readonly serverId = randomUUID()
  /** Also for other commands: fails at once when offline. */
  readonly publisher: Redis
  private readonly subscriber: Redis
  private readonly pending = new Map<number, Pending>()
  private readonly handlers: BusHandler[] = []
  private number = 0
  private isSubscribed = false
  /** Whether both connections are up, and the handlers have been notified. */
  private isJoined = false
  private timer: NodeJS.Timeout | undefined

  /**
   * @param url `redis://[user:password@]host[:port]`, or `rediss://` with TLS
   * @param channel the channel of one appliance; others may use the same Redis
   */
  constructor(
    url: string,
    private readonly channel: string,
    private readonly log: Logger,
  ) {
    const options = {
      lazyConnect: true,
      // A message that cannot be sent now is delivered here, and not queued.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 5_000,
      keepAlive: 10_000,
      retryStrategy: (attempts: number) => Math.min(attempts * 100, 2_000),
    }
    this.publisher = new Redis(url, { ...options, connectionName: 'jackfield-publisher' })
    this.subscriber = new Redis(url, {
      ...{ ...options, autoResubscribe: false, connectionName: 'jackfield-subscriber' },
    })
    this.watch(this.publisher)
    this.watch(this.subscriber)
    this.publisher.on('ready', () => this.join())
    this.publisher.on('close', () => this.lose())
    this.subscriber.on('ready', () => this.subscribe())
    this.subscriber.on('close', () => {
      this.isSubscribed = false
      this.lose()
    })
    this.subscriber.on('message', (name, text) => {
      if (name === this.channel) this.arrived(text)
      else this.receiveDirect(JSON.parse(text) as Letter)
    })
  }

  get isUp(): boolean {
    return this.isJoined
  }

  listen(handler: BusHandler): void {
    this.handlers.push(handler)
  }

  start(): void {
    // ioredis retries failed connections, and reports them by the event `error`.
    for (const client of [this.publisher, this.subscriber]) client.connect().catch(() => undefined)
    this.timer = setInterval(() => this.deliverLate(Date.now() - patienceMs), lookMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    // Messages that were published are sent before the connection ends.
    await this.publisher.quit().catch(() => undefined)
    this.publisher.disconnect()
    this.subscriber.disconnect()
    this.deliverLate(Infinity)
  }

  send(message: BusMessage): void {
    if (!this.isUp || this.pending.size >= maxPending) {
      this.receive(this.serverId, message)
      return
    }
    const number = ++this.number
    this.pending.set(number, { message, sentAt: Date.now() })
    const envelope: Envelope = { from: this.serverId, number, message }
    this.publisher.publish(this.channel, JSON.stringify(envelope)).catch(() => this.deliver(number))
  }

  async sendTo(serverId: string, message: DirectMessage): Promise<void> {
    if (!this.isUp) throw new ServerGoneError('Redis is away')
    const letter: Letter = { from: this.serverId, said: message }
    const heard = await this.publisher
      .publish(this.channelOf(serverId), JSON.stringify(letter))
      .catch((error: unknown) => {
        throw new ServerGoneError('Redis is away', { cause: error })
      })
    if (heard === 0) throw new ServerGoneError('the server is gone')
  }

  private channelOf(serverId: string): string {
    return `${this.channel}:${serverId}`
  }

  private receiveDirect({ from, said }: Letter): void {
    for (const handler of this.handlers) handler.receivedDirect?.(from, said)
  }

  private receive(serverId: string, message: BusMessage): void {
    for (const handler of this.handlers) handler.received(serverId, message)
  }

  private subscribe(): void {
    this.subscriber
      .subscribe(this.channel, this.channelOf(this.serverId))
      .then(() => {
        this.isSubscribed = true
        this.join()
      })
      .catch((error: unknown) => {
        this.log.warn({ event: 'redis.channel_refused', err: error }, 'Redis refuses the channel of streams')
        this.subscriber.disconnect(true)
      })
  }

  /** Joins the bus once both connections are up: only then can this server send to others and receive from them. */
  private join(): void {
    if (this.isJoined || !this.isSubscribed || this.publisher.status !== 'ready') return
    this.isJoined = true
    this.log.info({ event: 'redis.up' }, 'streams are shared through Redis')
    for (const handler of this.handlers) handler.connected?.()
  }

  /** Messages under way will not be returned. */
  private lose(): void {
    const wasJoined = this.isJoined
    this.isJoined = false
    this.deliverLate(Infinity)
    if (!wasJoined) return
    this.log.warn(
      { event: 'redis.lost' },
      'the link to Redis is lost: events reach the streams of this server alone',
    )
    for (const handler of this.handlers) handler.lost?.()
  }

  private arrived(text: string): void {
    const { from, number, message } = JSON.parse(text) as Envelope
    // A message of this server may have been delivered here while it was late.
    if (from === this.serverId) this.deliver(number)
    else this.receive(from, message)
  }

  private deliver(number: number): void {
    const pending = this.pending.get(number)
    this.pending.delete(number)
    if (pending) this.receive(this.serverId, pending.message)
  }

  private deliverLate(sentBefore: number): void {
    for (const [number, { sentAt }] of this.pending) {
      if (sentAt > sentBefore) return
      this.deliver(number)
    }
  }

  private watch(client: Redis): void {
    let reported = ''
    client.on('ready', () => (reported = ''))
    client.on('error', (error: Error) => {
      // Each attempt fails in the same way: log it once.
      if (error.message !== reported)
        this.log.warn({ event: 'redis.unreachable', err: error }, 'Redis cannot be reached')
      reported = error.message
    })
  }
}
