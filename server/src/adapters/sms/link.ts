/**
 * The interface of every SMS carrier, whatever its protocol: a link that takes segments, and reports what comes in.
 * Links know texts and numbers, never workspaces or tables. The holder of a link stores what it reports before the
 * carrier gets an answer.
 */

import type { InboundNumbers, NumberType } from './numbers.js'
import type { EncodedText } from './text/encoded-text.js'

export type TextEncoding = 'gsm7' | 'ucs2'

/** A file that goes with a message. */
export interface MediaLink {
  /** Where the carrier fetches it; anyone with the URL can. */
  readonly url: string
  readonly content_type: string
  readonly bytes: number
}

/** A message for a link that splits it into segments. Numbers are digits with the country code, no plus sign. */
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

/** One submission: a whole message, or one segment of it. */
export interface Segment extends OutboundText {
  /** The text of this segment alone. */
  readonly body: string
  /** From 0. */
  readonly index: number
  readonly total: number
}

/** Why a carrier did not take a submitted segment. */
export type RefusalKind =
  /** Too fast: the carrier takes nothing for a while; another carrier may take it meanwhile. */
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
  /** The connection was lost, or no answer came in time: the carrier may have it. */
  | 'unanswered'

/** The meanings that the operator can give to a carrier's codes. */
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

/** A text, or one part of a long one, from a carrier. */
export interface InboundSegment {
  /** As the carrier writes it, without a plus sign: that makes its type `e164`. */
  readonly from: string
  readonly to: string
  /** The number types that the carrier names; absent: unknown. */
  readonly from_type?: NumberType
  readonly to_type?: NumberType
  /** How to read the carrier's numbers; absent: by the defaults of {@link InboundNumbers}. */
  readonly numbers?: InboundNumbers
  /** UTF-16; a part of a long text may begin or end with half of a surrogate pair. */
  readonly body: string
  /** The octets of the text, as parts are joined before they are decoded; absent: only `body` came. */
  readonly encoded?: EncodedText
  /** `index` from 0. A reference is repeated after 255 or 65,535 others. */
  readonly concatenation: {
    readonly reference: number
    readonly index: number
    readonly total: number
  } | null
  /** Files by the carrier's URLs, which must be fetched. */
  readonly media: readonly { readonly url: string; readonly content_type: string | null }[]
  /** The carrier's id, if repetitions have the same id; null otherwise. */
  readonly carrier_message_id: string | null
  /** The same bytes give the same fingerprint: hex SHA-256. */
  readonly fingerprint: string
}

/** `pending` is not final: another receipt will come. */
export const receiptStates = ['delivered', 'undelivered', 'failed', 'pending'] as const
export type ReceiptState = (typeof receiptStates)[number]

/** A delivery receipt. */
export interface Receipt {
  /** The id as the receipt writes it, then other spellings of it (hexadecimal, decimal), best first. */
  readonly carrier_message_ids: readonly string[]
  /** The recipient of the message, digits; null if the receipt has none. */
  readonly to: string | null
  /** The other address of a receipt, digits: some SMSCs do not exchange the two. */
  readonly or_to?: string
  readonly state: ReceiptState
  readonly error_code: string | null
  readonly error_message: string | null
  /** Our id (`msg_…`), if the carrier sends it back. */
  readonly message_id?: string
  /** Whether it says that the client has opted out at the carrier. */
  readonly has_opted_out?: boolean
}

/** The recipient of a text cannot be read, or can be read as several of our numbers: none of them gets it. */
export class UnreadableNumberError extends Error {}

/** The holder of a link. When its promise resolves, the data is stored, and the carrier gets a positive answer. */
export interface LinkHolder {
  /**
   * @param receipt the same text read as a receipt, if it names a message that went out over this link to its sender
   * @throws {UnreadableNumberError} the carrier need not send it again
   */
  receive(segment: InboundSegment, receipt?: Receipt | null): Promise<void>
  receipt(receipt: Receipt): Promise<void>
  /** The link has come up, or gone down and why. */
  changed(health: LinkHealth): void
}

export interface LinkHealth {
  readonly state: 'up' | 'connecting' | 'down'
  /** When the state began. */
  readonly since: Date
  /** The last error, in the carrier's words; null if there was none. */
  readonly last_error: string | null
}

export interface CarrierLink {
  readonly health: LinkHealth
  /** Submissions that may be unanswered at once. */
  readonly window: number
  /** Splits a message for this link; links that take long texts whole return one segment. */
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
