/** One connection of an ESME, which is bound once it has sent its password. */
import type { Socket } from 'node:net'
import { BrokenLine, Fields, GENERIC_NACK, type Pdu, PduReader, REQUESTS, RESPONSE, STATUS } from './pdu.js'
import { cString, encode } from './pdu.js'
import type { Receiver, Smsc } from './smsc.js'
import { type TextMessage, deliveryBody, parseSubmission } from './text-message.js'

const SYSTEM_ID = 'sandbox'
const PASSWORD = 'sandbox'

/** An ESME says something, an enquire_link at least, or is gone. */
const IDLE_MS = 300_000
const ANSWER_MS = 10_000

const BINDS: readonly number[] = [
  REQUESTS.bind_receiver,
  REQUESTS.bind_transmitter,
  REQUESTS.bind_transceiver,
]

export class SmscConnection implements Receiver {
  readonly #reader = new PduReader()
  /** Deliveries without an answer, by their sequence_number. */
  readonly #unanswered = new Map<number, (taken: boolean) => void>()
  #sequence = 0
  #bound: number | null = null

  constructor(
    private readonly socket: Socket,
    private readonly smsc: Smsc,
  ) {
    socket.setTimeout(IDLE_MS, () => this.cut())
    socket.on('error', () => this.cut())
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.once('close', () => this.#closed())
  }

  async deliver(message: TextMessage): Promise<boolean> {
    this.#sequence = (this.#sequence % 0x7fffffff) + 1
    const sequence = this.#sequence
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), ANSWER_MS)
      const settle = (taken: boolean) => {
        clearTimeout(timer)
        this.#unanswered.delete(sequence)
        resolve(taken)
      }
      this.#unanswered.set(sequence, settle)
      this.socket.write(encode(REQUESTS.deliver_sm, STATUS.ok, sequence, deliveryBody(message)))
    })
  }

  cut(): void {
    this.socket.destroy()
  }

  #closed(): void {
    this.smsc.leave(this)
    for (const settle of this.#unanswered.values()) settle(false)
  }

  #read(chunk: Buffer): void {
    try {
      for (const pdu of this.#reader.read(chunk)) this.#take(pdu)
    } catch (error) {
      if (!(error instanceof BrokenLine)) throw error
      this.cut()
    }
  }

  #take(pdu: Pdu): void {
    const { command, status, sequence } = pdu
    if (command === REQUESTS.deliver_sm + RESPONSE)
      return this.#unanswered.get(sequence)?.(status === STATUS.ok)
    if (command >= RESPONSE) return
    if (BINDS.includes(command)) {
      this.#bind(pdu)
      return
    }
    if (command === REQUESTS.enquire_link) {
      this.#answer(pdu, STATUS.ok)
      return
    }
    if (command === REQUESTS.unbind) {
      this.#answer(pdu, STATUS.ok)
      this.socket.end()
      return
    }
    if (command === REQUESTS.submit_sm) {
      this.#submit(pdu)
      return
    }
    this.socket.write(encode(GENERIC_NACK, STATUS.invalid_command, sequence, Buffer.alloc(0)))
  }

  #bind(pdu: Pdu): void {
    const fields = new Fields(pdu.body)
    const [systemId, password] = [fields.cString(), fields.cString()]
    if (this.#bound !== null) {
      this.#answer(pdu, STATUS.already_bound)
      return
    }
    if (systemId !== SYSTEM_ID || password !== PASSWORD) {
      this.#answer(pdu, STATUS.invalid_password)
      return
    }
    this.#bound = pdu.command
    this.#answer(pdu, STATUS.ok, SYSTEM_ID)
    if (pdu.command !== REQUESTS.bind_transmitter) this.smsc.join(this)
  }

  #submit(pdu: Pdu): void {
    if (this.#bound === null || this.#bound === REQUESTS.bind_receiver) {
      this.#answer(pdu, STATUS.not_bound)
      return
    }
    const { status, id } = this.smsc.submit(parseSubmission(pdu.body))
    this.#answer(pdu, status, id)
  }

  #answer({ command, sequence }: Pdu, status: number, text?: string): void {
    const body = text === undefined || status !== STATUS.ok ? Buffer.alloc(0) : cString(text)
    this.socket.write(encode(command + RESPONSE, status, sequence, body))
  }
}
