/** The simulated carrier for texts: takes them for its handsets, and brings receipts and answers. */
import { randomBytes } from 'node:crypto'
import { Timers } from '../timers.js'
import { handsetOf } from './handsets.js'
import { STATUS } from './pdu.js'
import type { TextMessage } from './text-message.js'

/** A line that deliveries can go over. */
export interface Receiver {
  /** @returns whether it was taken */
  deliver(message: TextMessage): Promise<boolean>
}

/** More is not kept for a carrier's client that takes nothing: the oldest goes. */
const MOST_KEPT = 10_000
/** Unanswered deliveries at once. */
const WINDOW = 10
const AGAIN_MS = 1_000
/** Short message: delivery receipt (5.2.12). */
const RECEIPT = 0x04

export class Smsc {
  readonly #timers = new Timers()
  readonly #receivers: Receiver[] = []
  readonly #outbox: TextMessage[] = []
  #underWay = 0
  #throttled = false

  /** @returns the answer to a submission */
  submit(message: TextMessage): { status: number; id: string } {
    const { status, everyOther, receipt, answer } = handsetOf(message.to)
    this.#throttled = everyOther ? !this.#throttled : this.#throttled
    const refused = everyOther ? this.#throttled : status !== STATUS.ok
    if (refused) return { status, id: '' }
    const id = randomBytes(8).toString('hex')
    const submitted = new Date()
    if (receipt && message.wantsReceipt) {
      this.#timers.after(receipt.afterMs, () =>
        this.#send(receiptOf(message, `id:${id} ${receiptText(receipt, submitted)}`)),
      )
    }
    if (answer) this.#timers.after(ANSWERS_AFTER_MS, () => this.#send(answerOf(message, answer)))
    return { status: STATUS.ok, id }
  }

  /** What is kept goes over this line too, until it leaves. */
  join(receiver: Receiver): void {
    this.#receivers.push(receiver)
    this.#flush()
  }

  leave(receiver: Receiver): void {
    const at = this.#receivers.indexOf(receiver)
    if (at >= 0) this.#receivers.splice(at, 1)
  }

  stop(): void {
    this.#timers.clear()
  }

  #send(message: TextMessage): void {
    if (this.#outbox.length >= MOST_KEPT) this.#outbox.shift()
    this.#outbox.push(message)
    this.#flush()
  }

  #flush(): void {
    while (this.#underWay < WINDOW) {
      const [receiver] = this.#receivers
      const message = receiver && this.#outbox.shift()
      if (!message) return
      this.#underWay++
      void receiver.deliver(message).then((taken) => {
        this.#underWay--
        if (taken) {
          this.#flush()
          return
        }
        this.#outbox.unshift(message)
        this.#timers.after(AGAIN_MS, () => this.#flush())
      })
    }
  }
}

const ANSWERS_AFTER_MS = 500

/** The rest of a receipt (appendix B). */
function receiptText({ state, error }: { state: string; error: string }, submitted: Date): string {
  const count = state === 'DELIVRD' ? '001' : '000'
  const dates = `submit date:${minuteOf(submitted)} done date:${minuteOf(new Date())}`
  return `sub:001 dlvrd:${count} ${dates} stat:${state} err:${error} text:`
}

/** YYMMDDhhmm. */
function minuteOf(date: Date): string {
  return date.toISOString().replace(/\D/g, '').slice(2, 12)
}

function receiptOf({ from, to }: TextMessage, text: string): TextMessage {
  const content = Buffer.from(text, 'latin1')
  return { from: to, to: from, esmClass: RECEIPT, wantsReceipt: false, dataCoding: 0, content }
}

/** A part of a long text comes back with its header, as a part. */
function answerOf(
  { from, to, esmClass, dataCoding, content }: TextMessage,
  answer: 'echo' | 'STOP',
): TextMessage {
  const back = { from: to, to: from, wantsReceipt: false }
  if (answer === 'STOP')
    return { ...back, esmClass: 0, dataCoding: 0, content: Buffer.from('STOP', 'latin1') }
  return { ...back, esmClass: esmClass & UDH, dataCoding, content }
}

/** The content begins with a header (5.2.12). */
const UDH = 0x40
