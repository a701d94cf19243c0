/** The operator's settings of an HTTP carrier. Statuses are those of HTTP. */
import type { Refusals, ReceiptState, TextEncoding } from '../../link.js'
import type { NumberSettings } from '../../numbers.js'

export const contentTypes = ['application/json', 'application/x-www-form-urlencoded'] as const

export const inboundAuths = ['signature', 'token', 'twilio', 'telnyx'] as const

/** Codes that are one carrier's alone, and mean that the client has opted out: Twilio's and Telnyx's. */
export const commonRefusals: Refusals = { '21610': 'opted_out', '40300': 'opted_out' }

export const plainEncodings = { gsm7: 'gsm7', ucs2: 'ucs2' } as const

/** A JSON Pointer (RFC 6901), such as `/messages/0/id`; a form is read as one flat object. */
export type Pointer = string

export interface HttpCarrierSettings extends NumberSettings {
  /** Where messages are submitted. Private addresses must be in `http_client.allowed_networks`. */
  readonly url: string
  /** With GET the form is in the query. */
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly content_type: (typeof contentTypes)[number]
  /**
   * The request's body: JSON, or a form (`to={{to}}&text={{body}}`), whose values hold placeholders: see {@link
   * placeholders} in template.ts. A value that is `{{media_urls}}` alone becomes the list of URLs, and is left out if
   * there are none. A value that is `{{segments}}` alone becomes a number.
   */
  readonly body: string
  /** Where the answer has the carrier's id of the message: a pointer, `header:<name>`, or null for nowhere. */
  readonly message_id: string | null
  /** Which statuses mean that the carrier has taken the message; every 2xx when empty. */
  readonly success_statuses: readonly number[]
  /** For carriers that always answer 200: a value that the answer must have in addition. */
  readonly success_value: { readonly pointer: Pointer; readonly values: readonly string[] } | null
  /** Where a refusal has its reason. */
  readonly error_code: Pointer | null
  readonly error_message: Pointer | null
  /** Meanings of its error codes, or of HTTP statuses; others count by their status. */
  readonly refusals: Refusals
  /** The carrier's words for `{{encoding}}`. */
  readonly encodings: Readonly<Record<TextEncoding, string>>
  /** Whether it takes MMS. */
  readonly media: boolean
  readonly timeout_seconds: number
  /**
   * `signature`: `Jackfield-Signature` over the body; `token`: the secret itself, as Bearer token, Basic password or `token`
   * in the query; `twilio`: `X-Twilio-Signature` with the auth token; `telnyx`: Ed25519 with the account's public key.
   */
  readonly inbound_auth: (typeof inboundAuths)[number]
  /** How to distinguish texts from receipts if both come to one URL; null: by their content. */
  readonly kinds: {
    readonly pointer: Pointer
    readonly texts: readonly string[]
    readonly receipts: readonly string[]
  } | null
  readonly inbound: InboundMapping
  readonly receipts: ReceiptMapping
}

/** How to read the texts that the carrier posts. */
export interface InboundMapping {
  /** The list of texts, to whose items the other pointers refer; null: a post is one text. */
  readonly items: Pointer | null
  readonly from: Pointer
  readonly to: Pointer
  readonly body: Pointer
  /** The carrier's id, which is the same when it posts again. */
  readonly id: Pointer | null
  /** Each to a URL, an object with `url` and perhaps `content_type`, or a list of these. */
  readonly media: readonly Pointer[]
  /** For a form: the field with the character set of the other fields. */
  readonly charset?: Pointer | null
  /** For a part of a long text: the shared reference, its position from 1, and the number of parts. */
  readonly part_reference?: Pointer | null
  readonly part?: Pointer | null
  readonly parts?: Pointer | null
}

/** How to read the receipts that the carrier posts. */
export interface ReceiptMapping {
  readonly items: Pointer | null
  readonly id: Pointer
  /** Our id of the message, `{{message_id}}`; null: nowhere but in place of the carrier's. */
  readonly message_id?: Pointer | null
  readonly status: Pointer
  readonly to: Pointer | null
  readonly error_code: Pointer | null
  readonly error_message: Pointer | null
  /** The carrier's words, whatever their case; words that are not here say nothing final. */
  readonly statuses: Readonly<Record<string, ReceiptState>>
}

/** Secrets, which are stored encrypted and never shown. */
export interface HttpCarrierSecrets {
  /** Sent with every request, such as `Authorization`. */
  readonly headers: Readonly<Record<string, string>>
  /** The secret with which the carrier signs its posts, or which it sends. */
  readonly inbound_secret: string
}

/** Words that most carriers write. */
export const commonStatuses: Readonly<Record<string, ReceiptState>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  undeliverable: 'undelivered',
  expired: 'undelivered',
  failed: 'failed',
  rejected: 'failed',
  queued: 'pending',
  accepted: 'pending',
  sending: 'pending',
  sent: 'pending',
}
