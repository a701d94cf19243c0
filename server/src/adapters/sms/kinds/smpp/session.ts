/** One connection to an SMSC: requests and their answers in both directions, and keepalive. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { cString } from './body.js'
import { UnreadableNumberError } from '../../link.js'
import {
  INVALID_COMMAND,
  INVALID_DESTINATION,
  OK,
  PERMANENT_ERROR,
  TEMPORARY_ERROR,
} from './command-status.js'
import { COMMANDS, PduError, PduStream, answerTo, encodePdu, isAnswer, type Pdu } from './pdu.js'
import { ReadingClock } from './reading-clock.js'
import { RepeatedRequests } from './repeated-requests.js'
import { NoAnswerError, Requests } from './requests.js'

export interface SessionTimes {
  /** After this silence of the SMSC, an enquire_link is sent. */
  readonly enquireMs: number
  readonly responseMs: number
}

/**
 * Handles a deliver_sm or a data_sm. When it resolves, the SMSC gets a positive answer and forgets the message. When it
 * rejects, the SMSC keeps the message and sends it again, unless it rejects with a {@link PduError} or an {@link
 * UnreadableNumberError}: such a message can never be handled.
 */
export type TakeIncoming = (pdu: Pdu) => Promise<void>

/** Requests of the SMSC that are handled at once; then reading pauses. */
const MAX_INCOMING = 100
/** An SMSC that sends but does not read is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** How long requests under way may take when a bind is ended. */
const DRAIN_MS = 2000

const NO_BODY = Buffer.alloc(0)
const BINDS = new Set<number>([COMMANDS.bind_receiver, COMMANDS.bind_transmitter, COMMANDS.bind_transceiver])

export class SmppSession {
  /** Whether the SMSC has done more than binding. */
  worked = false
  /** Why it is over, once it is. */
  readonly over: Promise<string>
  private endWith: (why: string) => void = () => undefined
  private isOver = false
  private isEnding = false
  private readonly stream = new PduStream()
  private readonly requests = new Requests()
  private readonly repeated = new RepeatedRequests()
  private incoming = 0
  private readonly clock = new ReadingClock()
  private heardAt = this.clock.now()
  private enquiring = false
  private readonly tickMs: number
  private readonly watch: NodeJS.Timeout
  private lookedAt = performance.now()

  constructor(
    private readonly socket: Socket,
    private readonly times: SessionTimes,
    private readonly takeIncoming: TakeIncoming,
  ) {
    this.over = new Promise((resolve) => (this.endWith = resolve))
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      this.stream.write(chunk)
      this.read()
    })
    socket.on('error', (error) => this.close(error.message))
    socket.on('close', () => this.close('the SMSC closed the connection'))
    this.tickMs = Math.min(1000, times.enquireMs / 4, times.responseMs / 4)
    this.watch = setInterval(() => this.look(), this.tickMs)
  }

  /** Sends a request. @returns its answer, whatever its status @throws {NoAnswerError} */
  async request(command: number, body: Buffer = NO_BODY): Promise<Pdu> {
    if (this.isOver) throw new NoAnswerError('line_lost')
    const { sequence, answer } = this.requests.add(command, this.clock.now() + this.times.responseMs)
    this.send({ command, status: OK, sequence, body })
    return answer
  }

  /** Whether the SMSC takes more. */
  get isOpen(): boolean {
    return !this.isOver && !this.isEnding
  }

  /** Waits until nothing is under way in either direction, and not for ever. */
  async drained(): Promise<void> {
    const end = performance.now() + DRAIN_MS
    while (!this.isOver && this.requests.size + this.incoming > 0 && performance.now() < end) await sleep(10)
  }

  /** Ends it at once: what has no answer gets none. */
  close(why: string): void {
    if (this.isOver) return
    this.isOver = true
    clearInterval(this.watch)
    this.socket.destroy()
    this.requests.loseAll()
    this.endWith(why)
  }

  private send(pdu: Pdu): void {
    if (this.isOver) return
    // what is sent in one go leaves in one packet
    if (this.socket.writableCorked === 0) {
      this.socket.cork()
      process.nextTick(() => this.socket.uncork())
    }
    this.socket.write(encodePdu(pdu))
    if (this.socket.writableLength > MAX_UNREAD_BYTES) this.close('the SMSC does not read')
  }

  private read(): void {
    try {
      while (!this.isOver && this.mayRead()) {
        const pdu = this.stream.next()
        if (!pdu) return
        this.heardAt = this.clock.now()
        this.receive(pdu)
      }
    } catch (error) {
      if (!(error instanceof PduError)) throw error
      this.close(`the SMSC sent ${error.message}`)
    }
  }

  private mayRead(): boolean {
    if (this.incoming < MAX_INCOMING) return true
    this.clock.stop()
    this.socket.pause()
    return false
  }

  private readOn(): void {
    if (this.isOver || this.clock.runs) return
    this.clock.start()
    this.read()
    if (this.clock.runs) this.socket.resume()
  }

  private receive(pdu: Pdu): void {
    if (isAnswer(pdu.command)) {
      const command = this.requests.settle(pdu)
      if (command !== null && !BINDS.has(command)) this.worked = true
      return
    }
    switch (pdu.command) {
      case COMMANDS.deliver_sm:
      case COMMANDS.data_sm:
        void this.take(pdu)
        return
      case COMMANDS.enquire_link:
        this.answer(pdu, OK)
        return
      case COMMANDS.unbind:
        void this.leave(pdu)
        return
      case COMMANDS.alert_notification:
      case COMMANDS.outbind:
        return // neither has an answer
      default:
        this.send({ ...pdu, command: COMMANDS.generic_nack, status: INVALID_COMMAND, body: NO_BODY })
    }
  }

  /** The SMSC ends the bind: what it has taken it answers first, which would be sent again otherwise. */
  private async leave(unbind: Pdu): Promise<void> {
    this.isEnding = true
    await this.drained()
    this.answer(unbind, OK)
    // after the answer has left
    setImmediate(() => this.close('the SMSC ended the bind'))
  }

  private async take(pdu: Pdu): Promise<void> {
    this.worked = true
    this.incoming++
    const status = await this.repeated.once(pdu, OK, async () =>
      this.takeIncoming(pdu).then(() => OK, refusalOf),
    )
    this.incoming--
    this.answer(pdu, status)
    this.readOn()
  }

  private answer({ command, sequence }: Pdu, status: number): void {
    // both have a message_id, which is not used
    const hasId = command === COMMANDS.deliver_sm || command === COMMANDS.data_sm
    this.send({ command: answerTo(command), status, sequence, body: hasId ? cString('') : NO_BODY })
  }

  private look(): void {
    // a process that stood still has not read what came meanwhile
    const stoodStill = performance.now() - this.lookedAt > 3 * this.tickMs
    this.lookedAt = performance.now()
    if (stoodStill || !this.clock.runs) return
    const now = this.clock.now()
    this.requests.expire(now)
    if (now - this.heardAt < this.times.enquireMs || this.enquiring) return
    this.enquiring = true
    this.request(COMMANDS.enquire_link).then(
      () => (this.enquiring = false),
      () => this.close(`the SMSC did not answer enquire_link within ${this.times.responseMs / 1000} s`),
    )
  }
}

function refusalOf(error: unknown): number {
  if (error instanceof PduError) return PERMANENT_ERROR
  return error instanceof UnreadableNumberError ? INVALID_DESTINATION : TEMPORARY_ERROR
}
