/** Requests and notices between servers, over the same bus as their streams. */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { ApiError, type ErrorBody } from '../../infrastructure/http/errors.js'
import { type Bus, type DirectMessage, ServerGoneError } from '../realtime/bus.js'
import type { EventHub } from '../realtime/event-hub.js'

interface Waiting {
  readonly serverId: string
  resolve(body: unknown): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

interface ServersEvents {
  /** A server has joined, or misses something: it needs the state that the others share. */
  hello: [serverId: string]
  /** A server lives, as it says every few seconds. @param drives the cell whose calls it drives; null: none */
  alive: [serverId: string, drives: string | null]
  /** A server is gone. */
  gone: [serverId: string]
  /** Others can be heard, for the first time or again. */
  found: []
  /** The bus is down, and messages of this time are lost. */
  lost: []
}

/** What one server asks is answered within this. */
const answerMs = 12_000

/** Questions under way; more are refused. */
const maxWaiting = 10_000

/** An error that another server has answered with. */
class ForwardedError extends ApiError {
  constructor(private readonly said: ErrorBody) {
    super(said.statusCode, [said.message].flat()[0] ?? '')
  }

  override body(): ErrorBody {
    return this.said
  }
}

export class Servers extends EventEmitter<ServersEvents> {
  private readonly waiting = new Map<number, Waiting>()
  private readonly answerers = new Map<string, (body: never, from: string) => Promise<unknown>>()
  private readonly noticeListeners = new Map<string, (body: never, from: string) => void>()
  private readonly topics = new Map<string, (data: never, from: string) => void>()
  private number = 0

  constructor(
    private readonly bus: Bus,
    private readonly hub: Pick<EventHub, 'onGone' | 'announceDriven'>,
    private readonly log: Logger,
  ) {
    super()
    this.setMaxListeners(0)
    hub.onGone((serverId) => {
      this.giveUp(serverId)
      this.emit('gone', serverId)
    })
    bus.listen({
      received: (serverId, message) => {
        if (serverId === bus.serverId) return
        if (message.kind === 'hello') this.emit('hello', serverId)
        if (message.kind === 'alive') this.emit('alive', serverId, message.drives)
        if (message.kind === 'shared') this.topics.get(message.topic)?.(message.data as never, serverId)
      },
      connected: () => this.emit('found'),
      receivedDirect: (serverId, message) => this.receive(serverId, message),
      lost: () => {
        this.giveUp()
        this.emit('lost')
      },
    })
  }

  /** See {@link EventHub.announceDriven}. */
  announceDriven(drives: () => string | null): void {
    this.hub.announceDriven(drives)
  }

  /** Has all other servers know something; those that cannot be reached never do. */
  share(topic: string, data: unknown): void {
    this.bus.send({ kind: 'shared', topic, data })
  }

  /** What other servers share. */
  onShared(topic: string, listener: (data: never, from: string) => void): void {
    this.topics.set(topic, listener)
  }

  /**
   * Asks another server.
   * @throws {ApiError} what it says; 503 when it cannot be reached, or does not answer in time
   */
  async ask(serverId: string, name: string, body: unknown): Promise<unknown> {
    if (this.waiting.size >= maxWaiting) throw unreachable()
    const id = ++this.number
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => this.settle(id)?.reject(unreachable()), answerMs)
      this.waiting.set(id, { serverId, resolve, reject, timer })
    })
    this.bus.sendTo(serverId, { kind: 'ask', id, name, body }).catch((error: unknown) => {
      if (!(error instanceof ServerGoneError)) throw error
      this.settle(id)?.reject(unreachable())
    })
    return answer
  }

  /** Answers questions of a name. */
  onAsked(name: string, answer: (body: never, from: string) => Promise<unknown>): void {
    this.answerers.set(name, answer)
  }

  /** Sends a notice, which needs no answer. @param failed called if the server cannot be reached */
  notify(serverId: string, name: string, body: unknown, failed: () => void = () => undefined): void {
    this.bus.sendTo(serverId, { kind: 'notice', name, body }).catch(failed)
  }

  /** Hears what needs no answer. */
  onNotice(name: string, listener: (body: never, from: string) => void): void {
    this.noticeListeners.set(name, listener)
  }

  private receive(from: string, message: DirectMessage): void {
    switch (message.kind) {
      case 'ask':
        void this.answer(from, message)
        break
      case 'answer':
        this.settle(message.id)?.resolve(message.body)
        break
      case 'failure':
        this.settle(message.id)?.reject(new ForwardedError(message.error))
        break
      case 'notice':
        this.noticeListeners.get(message.name)?.(message.body as never, from)
    }
  }

  private async answer(from: string, { id, name, body }: DirectMessage & { kind: 'ask' }): Promise<void> {
    const reply = await this.replyTo(from, name, body)
    // Who asked and is gone needs no answer.
    await this.bus.sendTo(from, { id, ...reply }).catch(() => undefined)
  }

  private async replyTo(from: string, name: string, body: unknown) {
    try {
      const answer = this.answerers.get(name)
      if (!answer) throw new ApiError(501, `This server does not know ${name}: all must be of one version`)
      return { kind: 'answer' as const, body: await answer(body as never, from) }
    } catch (error) {
      if (error instanceof ApiError) return { kind: 'failure' as const, error: error.body() }
      this.log.error(
        { event: 'server.request_failed', err: error, name },
        'a request of another server failed',
      )
      return { kind: 'failure' as const, error: new ApiError(500, 'Internal error').body() }
    }
  }

  /** Of a server, or of all, no answer will come. */
  private giveUp(serverId?: string): void {
    for (const [id, one] of [...this.waiting]) {
      if (serverId === undefined || one.serverId === serverId) this.settle(id)?.reject(unreachable())
    }
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id)
    clearTimeout(waiting?.timer)
    this.waiting.delete(id)
    return waiting
  }
}

function unreachable(): ApiError {
  return new ApiError(503, 'The server that drives calls cannot be reached: try again in a moment')
}
