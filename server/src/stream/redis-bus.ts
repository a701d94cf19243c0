/**
 * The bus of several servers: one channel of Redis, which brings every message to all in the same order, and one for
 * each server. While Redis is away, or a message does not come back from it in time, this server hears its own without it.
 */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Bus, type BusHandler, type BusMessage, type DirectMessage, ServerGoneError } from './bus.js'

/** What comes on this server's own channel. */
interface Letter {
  readonly from: string
  readonly said: DirectMessage
}

interface Envelope {
  readonly from: string
  /** Counts what a server has sent. */
  readonly number: number
  readonly message: BusMessage
}

/** A message that has not come back yet. */
interface Pending {
  readonly message: BusMessage
  readonly sentAt: number
}

/** What has not come back after this is delivered here at last. */
const patienceMs = 1_000
const lookMs = 250
const maxPending = 5_000

export class RedisBus implements Bus {
  readonly serverId = randomUUID()
  /** Also for other commands: what cannot be sent now fails at once. */
  readonly publisher: Redis
  private readonly subscriber: Redis
  private readonly pending = new Map<number, Pending>()
  private readonly handlers: BusHandler[] = []
  private number = 0
  private isSubscribed = false
  /** Whether both connections carry, and the handlers know. */
  private isJoined = false
  private timer: NodeJS.Timeout | undefined

  /**
   * @param url `redis://[user:password@]host[:port]`, or `rediss://` with TLS
   * @param channel is that of one appliance; others may use the same Redis
   */
  constructor(
    url: string,
    private readonly channel: string,
    private readonly log: Logger,
  ) {
    const options = {
      lazyConnect: true,
      // What cannot be sent now is delivered here, not kept for later.
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
      else this.told(JSON.parse(text) as Letter)
    })
  }

  get isUp(): boolean {
    return this.isJoined
  }

  listen(handler: BusHandler): void {
    this.handlers.push(handler)
  }

  start(): void {
    // A failure to connect is tried again and told by the event `error`.
    for (const client of [this.publisher, this.subscriber]) client.connect().catch(() => undefined)
    this.timer = setInterval(() => this.deliverLate(Date.now() - patienceMs), lookMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    // What was published is on its way before the connection ends.
    await this.publisher.quit().catch(() => undefined)
    this.publisher.disconnect()
    this.subscriber.disconnect()
    this.deliverLate(Infinity)
  }

  send(message: BusMessage): void {
    if (!this.isUp || this.pending.size >= maxPending) {
      this.hear(this.serverId, message)
      return
    }
    const number = ++this.number
    this.pending.set(number, { message, sentAt: Date.now() })
    const envelope: Envelope = { from: this.serverId, number, message }
    this.publisher.publish(this.channel, JSON.stringify(envelope)).catch(() => this.deliver(number))
  }

  async tell(serverId: string, message: DirectMessage): Promise<void> {
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

  private told({ from, said }: Letter): void {
    for (const handler of this.handlers) handler.told?.(from, said)
  }

  private hear(serverId: string, message: BusMessage): void {
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
        this.log.warn({ err: error }, 'Redis refuses the channel of streams')
        this.subscriber.disconnect(true)
      })
  }

  /** What is told to others from now on reaches them, and what they say is heard: not before both connections are there. */
  private join(): void {
    if (this.isJoined || !this.isSubscribed || this.publisher.status !== 'ready') return
    this.isJoined = true
    this.log.info('streams are shared through Redis')
    for (const handler of this.handlers) handler.connected?.()
  }

  /** What is on its way will not come back. */
  private lose(): void {
    const wasJoined = this.isJoined
    this.isJoined = false
    this.deliverLate(Infinity)
    if (!wasJoined) return
    this.log.warn('the link to Redis is lost: streams are told by this server alone')
    for (const handler of this.handlers) handler.lost?.()
  }

  private arrived(text: string): void {
    const { from, number, message } = JSON.parse(text) as Envelope
    // Its own may have been delivered while it was late.
    if (from === this.serverId) this.deliver(number)
    else this.hear(from, message)
  }

  private deliver(number: number): void {
    const pending = this.pending.get(number)
    this.pending.delete(number)
    if (pending) this.hear(this.serverId, pending.message)
  }

  private deliverLate(sentBefore: number): void {
    for (const [number, { sentAt }] of this.pending) {
      if (sentAt > sentBefore) return
      this.deliver(number)
    }
  }

  private watch(client: Redis): void {
    let told = ''
    client.on('ready', () => (told = ''))
    client.on('error', (error: Error) => {
      // Each attempt fails in the same way: once is enough.
      if (error.message !== told) this.log.warn({ err: error }, 'Redis cannot be reached')
      told = error.message
    })
  }
}
