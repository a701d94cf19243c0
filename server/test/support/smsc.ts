/** The SMSC of the tests: a program in Perl that is built on Net::SMPP (smsc.pl, beside this file). */
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from './child.js'
import { pathOf } from './paths.js'

const PROGRAM = pathOf('server/test/support/smsc.pl')

export type ReceiptState =
  'DELIVRD' | 'ACCEPTD' | 'ENROUTE' | 'EXPIRED' | 'DELETED' | 'UNDELIV' | 'UNKNOWN' | 'REJECTD'

export type IdForm = 'decimal' | 'hex' | 'HEX' | 'zeros'

/**
 * `text` as SMPP 3.4 appendix B has it; words in it change that: `tlv` parameters beside the text (alone: no text),
 * `seconds` and `year` longer dates, `upper` names in capitals, `underlined` submit_date and done_date. `short` has no
 * more than id and stat.
 */
export type ReceiptFormat =
  'text' | 'tlv' | 'text tlv' | 'text seconds' | 'text year' | 'text upper' | 'text underlined' | 'short'

export interface ReceiptPlan {
  /** How long after the submission, or between which two. 0 [default] is before its answer. */
  after_ms?: number | [number, number]
  stat?: ReceiptState
  /** Three digits. */
  err?: string
  format?: ReceiptFormat
  /** When receipts write ids in another way than answers. */
  id_as?: IdForm
  esm_class?: number
}

/** What happens to some of the submissions: the first rule that is meant for one is its rule. */
export interface SmscRule {
  /** Regular expression for the destination. */
  to?: string
  /** 0 to 1. */
  chance?: number
  /** For no more submissions than these. */
  count?: number
  status?: number
  answer_delay_ms?: number
  /** Taken, and never answered. */
  silent?: boolean
  /** Instead of the SMSC's own. */
  receipts?: ReceiptPlan[]
}

export interface SmscBehaviour {
  system_id: string
  password: string
  max_binds: number
  /** Other than 0 refuses all binds. */
  bind_status: number
  /** How message ids are written in answers. */
  ids: IdForm
  answer_delay_ms: number
  /** Above, submissions are answered with 0x58; 0 is no limit. */
  per_second: number
  rules: SmscRule[]
  /** For each message that it took: none, one or several. */
  receipts: ReceiptPlan[]
  /** deliver_sm that may be unanswered at once on a line. */
  deliver_window: number
  /** When it sends again what was refused; 0 never. */
  again_ms: number
  /**
   * Drops a line after so many submissions, of which it took the last ones without an answer. `random`: between 1 and
   * twice so many, without an answer to 0…`unanswered`. An ESME that sends no more is dropped 300 ms after the first
   * that is not answered.
   */
  drop: {
    after: number
    unanswered?: number
    random?: boolean
    /** How often [1]. */
    times?: number
    /** `close` [default] lets the ESME read all answers, `reset` may not. */
    how?: 'close' | 'reset'
  } | null
  /** Reads nothing. */
  deaf: boolean
  /** Reads, and answers nothing at all. */
  mute: boolean
}

export interface SmscSubmit {
  /** From 1, in the order of arrival. */
  n: number
  line: number
  /** What it is answered with; other than 0 was not taken. */
  status: number
  /** The message id; '' for what was not taken. */
  id: string
  from: string
  to: string
  /** TON and NPI. */
  source: [number, number]
  destination: [number, number]
  data_coding: number
  esm_class: number
  registered_delivery: number
  validity: string
  /** Hex; '' without. */
  udh: string
  /** sar_msg_ref_num, sar_total_segments and sar_segment_seqnum, hex; '' without. */
  sar: string
  /** Whether it came in message_payload. */
  payload: boolean
  service_type: string
  protocol_id: number
  priority: number
  /** Decoded by its data_coding. */
  text: string
  /** Seconds since 1970. */
  at: number
  /** False once its line is gone without it. */
  answered: boolean
}

export interface SmscBind {
  line: number
  as: 'transceiver' | 'transmitter' | 'receiver'
  system_id: string
  system_type: string
  version: number
  /** addr_ton, addr_npi and address_range. */
  range: [number, number, string]
  status: number
}

/** The answer to a deliver_sm. */
export interface SmscDelivered {
  line: number
  kind: 'receipt' | 'message'
  status: number
  /** Whether it is sent again. */
  again: boolean
  /** What `deliver()` and `receipt()` returned; null for receipts by plan. */
  ref: number | null
  /** The submission that it is a receipt of. */
  n: number | null
  stat: string
}

export interface SmscMessage {
  from: string
  to: string
  text?: string
  /** Instead of a text: the very bytes. */
  hex?: string
  data_coding?: number
  esm_class?: number
  part?: { by: 'udh' | 'udh16' | 'sar'; reference: number; total: number; index: number }
  /** In message_payload. */
  payload?: boolean
  /** user_message_reference. */
  reference?: number
}

export interface SmscReceipt extends ReceiptPlan {
  id: string
  /** The handset. */
  from: string
  /** The number that had sent. */
  to: string
  text?: string
}

type SmscEvent =
  | { event: 'listening'; port: number }
  | { event: 'done'; command: number }
  | { event: 'connected'; line: number }
  | { event: 'closed'; line: number; why: string; unanswered: number[] }
  | { event: 'pdu'; line: number; command: string; status: number; sequence: number }
  | ({ event: 'submit' } & SmscSubmit)
  | ({ event: 'bind' } & SmscBind)
  | ({ event: 'delivered' } & SmscDelivered)

/** One running SMSC. What it recorded stands in the order in which it happened. */
export class Smsc {
  readonly submits: SmscSubmit[] = []
  readonly binds: SmscBind[] = []
  readonly delivered: SmscDelivered[] = []
  readonly closed: { line: number; why: string; unanswered: number[] }[] = []
  /** All other PDUs. */
  readonly pdus: { line: number; command: string; status: number; sequence: number }[] = []
  connections = 0
  private listeningAt = 0
  private commands = 0
  private references = 0
  private readonly waiting = new Map<number, () => void>()
  private child: Child | undefined

  private constructor() {}

  /** Starts one on a free port of 127.0.0.1, or on one that an earlier one had. */
  static async start(behaviour: Partial<SmscBehaviour> = {}, port = 0): Promise<Smsc> {
    const smsc = new Smsc()
    const child = await Child.start('perl', [PROGRAM, String(port)], { onLine: (line) => smsc.record(line) })
    smsc.child = child
    await smsc.until('port', () => smsc.listeningAt > 0)
    await smsc.behave(behaviour)
    return smsc
  }

  get port(): number {
    return this.listeningAt
  }

  /** What it took. */
  get taken(): SmscSubmit[] {
    return this.submits.filter(({ status }) => status === 0)
  }

  /** Changes what it does from now on. */
  async behave(behaviour: Partial<SmscBehaviour>): Promise<void> {
    await this.command('behave', behaviour)
  }

  /** Hands a message to whoever is bound, or will be. @returns what its answers have as `ref` */
  async deliver(message: SmscMessage): Promise<number> {
    return this.queue('deliver', message)
  }

  /** Sends a receipt, of whatever id. @returns what its answers have as `ref` */
  async receipt(receipt: SmscReceipt): Promise<number> {
    return this.queue('receipt', receipt)
  }

  /** The answer that ends a `deliver()` or `receipt()`. */
  async answerTo(ref: number, withinMs?: number): Promise<SmscDelivered> {
    const answer = () => this.delivered.find((one) => one.ref === ref && !one.again)
    await this.until(`answer to ${ref}`, () => answer() !== undefined, withinMs)
    return answer() as SmscDelivered
  }

  /** Drops all lines. */
  async drop(how: 'close' | 'reset' = 'close'): Promise<void> {
    await this.command('drop', { how })
  }

  /** Sends these very bytes on all lines. */
  async raw(hex: string): Promise<void> {
    await this.command('raw', { hex })
  }

  /** Sends enquire_link on all lines. */
  async enquire(): Promise<void> {
    await this.command('enquire', {})
  }

  /** Sends unbind on all lines. */
  async unbind(): Promise<void> {
    await this.command('unbind', {})
  }

  /** Waits for something of which the test is sure that it happens. */
  async until(what: string, test: () => boolean, withinMs = 10_000): Promise<void> {
    const end = Date.now() + withinMs
    while (!test()) {
      const { obituary, output } = this.child ?? {}
      if (obituary) throw new Error(obituary)
      if (Date.now() > end) throw new Error(`no ${what} within ${withinMs} ms: ${output ?? ''}`)
      await sleep(20)
    }
  }

  async stop(): Promise<void> {
    await this.child?.stop(1000)
  }

  private async queue(command: string, entry: object): Promise<number> {
    const ref = ++this.references
    await this.command(command, { ...entry, ref })
    return ref
  }

  private async command(name: string, parameters: object): Promise<void> {
    const command = ++this.commands
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no end of ${name}: ${this.child?.obituary ?? this.child?.output ?? ''}`)),
        10_000,
      )
      this.waiting.set(command, () => {
        clearTimeout(timer)
        resolve()
      })
      this.child?.say(JSON.stringify({ command, do: name, with: parameters }))
    })
    this.waiting.delete(command)
  }

  private record(line: string): void {
    const told = JSON.parse(line) as SmscEvent
    if (told.event === 'listening') this.listeningAt = told.port
    else if (told.event === 'done') this.waiting.get(told.command)?.()
    else if (told.event === 'connected') this.connections++
    else if (told.event === 'submit') this.submits.push({ ...told, answered: true })
    else if (told.event === 'bind') this.binds.push(told)
    else if (told.event === 'delivered') this.delivered.push(told)
    else if (told.event === 'pdu') this.pdus.push(told)
    else {
      this.closed.push(told)
      for (const n of told.unanswered) {
        const submit = this.submits[n - 1]
        if (submit) submit.answered = false
      }
    }
  }
}
