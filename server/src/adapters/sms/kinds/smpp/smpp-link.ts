import type { Logger } from 'pino'
import {
  SubmitError,
  UnreadableNumberError,
  type CarrierLink,
  type LinkHealth,
  type LinkHolder,
  type OutboundText,
  type Segment,
} from '../../link.js'
import { OK, refusalKind, statusCode, statusText } from './command-status.js'
import { readIncoming } from './incoming.js'
import { storedId } from './message-ids.js'
import { NotBoundError, RETRY_TIMES, SmppLine, type LineOwner, type RetryTimes } from './line.js'
import { COMMANDS, PduError, type Pdu } from './pdu.js'
import { NoAnswerError } from './requests.js'
import type { SmppSettings } from './settings.js'
import { segmentsOf, submitBody } from './submission.js'

/** A carrier that speaks SMPP 3.4: this side is the ESME. */
export class SmppLink implements CarrierLink {
  private readonly sender: SmppLine
  /** The sender alone, or it and the receiver. */
  private readonly lines: readonly SmppLine[]
  private current: LinkHealth = { state: 'connecting', since: new Date(), last_error: null }

  constructor(
    private readonly settings: SmppSettings,
    private readonly holder: LinkHolder,
    private readonly log: Logger,
    retry: RetryTimes = RETRY_TIMES,
  ) {
    const owner: LineOwner = { incoming: async (pdu) => this.incoming(pdu), changed: () => this.changed() }
    const line = (as: 'transceiver' | 'transmitter' | 'receiver') => new SmppLine(as, settings, owner, retry)
    this.sender = line(settings.bind === 'transceiver' ? 'transceiver' : 'transmitter')
    this.lines = settings.bind === 'transceiver' ? [this.sender] : [this.sender, line('receiver')]
  }

  get health(): LinkHealth {
    return this.current
  }

  get window(): number {
    return this.settings.window_size
  }

  segmentsOf(message: OutboundText): readonly Segment[] {
    return segmentsOf(message, this.settings)
  }

  async submit(segment: Segment): Promise<string | null> {
    const { status, body } = await this.answerTo(submitBody(segment, this.settings))
    if (status !== OK) {
      throw new SubmitError(
        refusalKind(status, this.settings.refusals),
        statusCode(status),
        statusText(status),
      )
    }
    const id = body.toString('latin1').split('\0')[0]?.trim()
    return id ? storedId(id) : null
  }

  start(): void {
    for (const line of this.lines) line.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.lines.map(async (line) => line.stop()))
  }

  private async answerTo(submission: Buffer): Promise<Pdu> {
    try {
      return await this.sender.request(COMMANDS.submit_sm, submission)
    } catch (error) {
      if (error instanceof NotBoundError)
        throw new SubmitError('temporary', 'not_bound', 'not bound to the SMSC')
      if (error instanceof NoAnswerError) throw new SubmitError('unanswered', error.reason, error.message)
      throw error
    }
  }

  private async incoming(pdu: Pdu): Promise<void> {
    try {
      const incoming = readIncoming(pdu, this.settings)
      if (incoming.kind === 'segment') await this.holder.receive(incoming.segment, incoming.receipt)
      else if (incoming.kind === 'receipt') await this.holder.receipt(incoming.receipt)
      else
        this.log.warn(
          { event: 'carrier.receipt_without_id', text: incoming.text.slice(0, 200) },
          'a receipt without a message id',
        )
    } catch (error) {
      this.log.warn(
        { event: 'carrier.delivery_refused', err: error, reason: refusalText(error) },
        'a text or receipt is refused',
      )
      throw error
    }
  }

  private changed(): void {
    const states = this.lines.map(({ state }) => state)
    const state = states.every((one) => one === 'up') ? 'up' : states.includes('down') ? 'down' : 'connecting'
    const error = this.lines.find(({ state: one }) => one === 'down')?.lastError
    const { state: before, since, last_error } = this.current
    this.current = {
      state,
      since: state === before ? since : new Date(),
      last_error: error ?? last_error,
    }
    this.holder.changed(this.current)
  }
}

function refusalText(error: unknown): string {
  if (error instanceof PduError) return 'an SMSC sent what is no message'
  if (error instanceof UnreadableNumberError) return 'refused: the number that a text is for cannot be read'
  return 'not kept: the SMSC sends it again'
}
