/**
 * What every SMS carrier looks like from here, whatever it speaks: a link that takes segments, and tells of what comes
 * in. Links know texts and numbers, never workspaces or tables; who holds one keeps what it tells before it is answered.
 */

import type { InboundNumbers, NumberType } from './numbers.js'
import type { EncodedText } from './text/encoded-text.js'

export type TextEncoding = 'gsm7' | 'ucs2'

/** A file that goes with a message. */
export interface MediaLink {
  /** Where the carrier fetches it; whoever has the URL may. */
  readonly url: string
  readonly content_type: string
  readonly bytes: number
}

/** A message as it is handed to a link that splits it. Numbers are digits with the country code, no plus sign. */
export interface OutboundText {
  /** `msg_…` */
  readonly id: string
  /** A number, a short code or a name. */
  readonly from: string
  /** ISO 3166-1 code of the country of the number that sends; absent: that of `from`. */
  readonly country?: string
  readonly to: string
  readonly body: string
  readonly encoding: TextEncoding
  readonly media: readonly MediaLink[]
}

/** What one submission carries: a whole message, or one segment of it. */
export interface Segment extends OutboundText {
  /** The text of this segment alone. */
  readonly body: string
  /** From 0. */
  readonly index: number
  readonly total: number
}

/** What became of a submitted segment that the carrier did not take. */
export type RefusalKind =
  /** Too fast: nothing is taken for a while, and another carrier may take it meanwhile. */
  | 'throttled'
  /** Not to this destination now, such as a handset whose queue is full: messages to others are taken. */
  | 'destination'
  /** Not now: try again later, or another carrier. */
  | 'temporary'
  /** Not at this carrier; another one may take it. */
  | 'carrier'
  /** Never: the message or the number it is for is wrong. */
  | 'permanent'
  /** Never: the client has opted out at the carrier. */
  | 'opted_out'
  /** The line was lost, or no answer came in time: the carrier may have it. */
  | 'unanswered'

/** What the operator can say that a carrier's code means. */
export const refusalMeanings = [
  ...(['throttled', 'destination', 'temporary', 'carrier', 'permanent', 'opted_out'] as const),
] as const satisfies readonly RefusalKind[]

/** The carrier's codes, and what each means. */
export type Refusals = Readonly<Record<string, (typeof refusalMeanings)[number]>>

/** Thrown by {@link CarrierLink.submit}. */
export class SubmitError extends Error {
  /**
   * @param code stable: the carrier's own as it writes it (`0x00000058`, `422`), or a word of ours (`timeout`)
   * @param retryAfterMs when the carrier says how long to wait
   */
  constructor(
    readonly kind: RefusalKind,
    readonly code: string,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message)
  }
}

/** A text, or one part of a long one, that a carrier hands to us. */
export interface InboundSegment {
  /** As the carrier writes it, without a plus sign: that makes its type `e164`. */
  readonly from: string
  readonly to: string
  /** What the carrier says that they are; absent: unknown. */
  readonly from_type?: NumberType
  readonly to_type?: NumberType
  /** How the carrier's numbers are read; absent: as {@link InboundNumbers} has it without settings. */
  readonly numbers?: InboundNumbers
  /** UTF-16; a part of a long text may begin or end with half of a surrogate pair. */
  readonly body: string
  /** The octets of the text, as parts are joined before they are decoded; absent: `body` is all that came. */
  readonly encoded?: EncodedText
  /** `index` from 0. A reference is repeated after 255 or 65,535 others. */
  readonly concatenation: {
    readonly reference: number
    readonly index: number
    readonly total: number
  } | null
  /** Files as the carrier names them, which must be fetched. */
  readonly media: readonly { readonly url: string; readonly content_type: string | null }[]
  /** The carrier's id, where it gives one that it repeats when it sends again; null otherwise. */
  readonly carrier_message_id: string | null
  /** The same bytes give the same fingerprint: hex SHA-256. */
  readonly fingerprint: string
}

/** `pending` is no end: more will come. */
export const receiptStates = ['delivered', 'undelivered', 'failed', 'pending'] as const
export type ReceiptState = (typeof receiptStates)[number]

/** What a carrier says of a message that it took. */
export interface Receipt {
  /** The id as the receipt writes it, then other ways to write the same (hexadecimal, decimal), best first. */
  readonly carrier_message_ids: readonly string[]
  /** Whom the message was for, digits; null where the receipt does not say. */
  readonly to: string | null
  /** The other address of a receipt, digits: some SMSCs do not exchange the two. */
  readonly or_to?: string
  readonly state: ReceiptState
  readonly error_code: string | null
  readonly error_message: string | null
  /** Our id (`msg_…`), where the carrier gives it back. */
  readonly message_id?: string
  /** Whether it says that the client has opted out at the carrier. */
  readonly has_opted_out?: boolean
}

/** The number that a text is for cannot be read, or can be read as several of ours: the text goes to none of them. */
export class UnreadableNumberError extends Error {}

/** Who holds a link. What it returns without an error is kept: the carrier is told so only then. */
export interface LinkHolder {
  /**
   * @param receipt what it is instead of a text, if it names a message that went out over this link to its sender
   * @throws {UnreadableNumberError} the carrier need not send it again
   */
  receive(segment: InboundSegment, receipt?: Receipt | null): Promise<void>
  receipt(receipt: Receipt): Promise<void>
  /** The link has come up, or gone down and why. */
  changed(health: LinkHealth): void
}

export interface LinkHealth {
  readonly state: 'up' | 'connecting' | 'down'
  /** Since when. */
  readonly since: Date
  /** What went wrong last, in the carrier's words; null when nothing has. */
  readonly last_error: string | null
}

export interface CarrierLink {
  readonly health: LinkHealth
  /** Submissions that may be without an answer at once. */
  readonly window: number
  /** How a message goes over this link: one segment for links that take long texts whole. */
  segmentsOf(message: OutboundText): readonly Segment[]
  /**
   * Submits a segment. The caller keeps to the window.
   * @returns the carrier's id, as receipts are looked up by it; null where the carrier gives none
   * @throws {SubmitError}
   */
  submit(segment: Segment): Promise<string | null>
  start(): void
  /** Ends it in an orderly way, within seconds; what is unanswered then rejects as `unanswered`. */
  stop(): Promise<void>
}
