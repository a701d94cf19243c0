import Type, { type Static } from 'typebox'
import { commonRefusals, commonStatuses, contentTypes, inboundAuths, plainEncodings } from './settings.js'
import { maxUrlLength } from '../../../../infrastructure/http-client/urls.js'
import { headers } from '../../../../infrastructure/http/header-fields.js'
import { nullable, printable, wellFormed } from '../../../../infrastructure/http/shapes.js'
import { numberSettings } from '../../number-settings.schema.js'
import { refusalCodes } from '../../refusals.schema.js'
import { receiptStatuses } from '../../receipt-statuses.schema.js'

/** A JSON Pointer (RFC 6901) into what the carrier sends; its syntax is checked with the rest of the settings. */
function pointer(options: { description?: string; default?: string } = {}) {
  return Type.String({
    maxLength: 255,
    pattern: printable,
    'x-rule': 'free of control characters',
    ...options,
  })
}

const orNowhere = (options: { description?: string; default?: string | null } = {}) =>
  nullable(Type.Unsafe<string>({ ...pointer(), ...options }))

const ReceiptStatuses = receiptStatuses({
  default: { ...commonStatuses },
  description: 'The carrier’s words, whatever their case; other words do not count as final',
})

const InboundMapping = Type.Object(
  {
    items: orNowhere({ default: null, description: 'The list of texts; null: a post is one text' }),
    from: pointer({ default: '/from' }),
    to: pointer({ default: '/to' }),
    body: pointer({ default: '/body' }),
    id: orNowhere({ default: '/id' }),
    media: Type.Array(pointer(), { maxItems: 20, default: ['/media_urls'] }),
    charset: orNowhere({
      default: null,
      description: 'Of a form: where it names the character set of its fields; UTF-8 or Windows-1252 without',
    }),
    part_reference: orNowhere({
      default: null,
      description: 'Of a long text in parts: what all of them share',
    }),
    part: orNowhere({ default: null, description: 'The place of a part, from 1' }),
    parts: orNowhere({ default: null, description: 'How many parts there are' }),
  },
  { description: 'Where the carrier’s posts have the fields of texts' },
)

const ReceiptMapping = Type.Object(
  {
    items: orNowhere({ default: null, description: 'The list of receipts; null: a post is one receipt' }),
    id: pointer({ default: '/id' }),
    message_id: orNowhere({
      default: null,
      description: 'Our id of the message, for carriers that send it back; it can also replace theirs',
    }),
    status: pointer({ default: '/status' }),
    to: orNowhere({ default: null }),
    error_code: orNowhere({ default: '/error_code' }),
    error_message: orNowhere({ default: '/error_message' }),
    statuses: ReceiptStatuses,
  },
  { description: 'Where the carrier’s posts have the fields of receipts' },
)

const words = Type.Array(
  Type.String({ minLength: 1, maxLength: 64, pattern: wellFormed, 'x-rule': 'well-formed text' }),
  { maxItems: 20 },
)

const Kinds = Type.Object({ pointer: pointer(), texts: words, receipts: words })

const encodingWord = (preset: string) =>
  Type.String({ maxLength: 32, pattern: wellFormed, 'x-rule': 'well-formed text', default: preset })

const Encodings = Type.Object(
  { gsm7: encodingWord(plainEncodings.gsm7), ucs2: encodingWord(plainEncodings.ucs2) },
  { description: 'What `{{encoding}}` is in the carrier’s words' },
)

const SuccessValue = Type.Object({
  pointer: pointer(),
  values: Type.Array(Type.String({ maxLength: 255, pattern: wellFormed, 'x-rule': 'well-formed text' }), {
    minItems: 1,
    maxItems: 20,
  }),
})

/** The settings of an HTTP carrier. */
export const HttpSettingsShape = Type.Object(
  {
    url: Type.String({ maxLength: maxUrlLength, pattern: '^[!-~]+$', 'x-rule': 'a URL of printable ASCII' }),
    method: Type.Enum(['GET', 'POST', 'PUT'], { default: 'POST' }),
    content_type: Type.Enum([...contentTypes], { default: 'application/json' }),
    body: Type.String({
      ...{ minLength: 1, maxLength: 8_192, pattern: wellFormed, 'x-rule': 'well-formed text' },
      description: 'JSON or a form, with placeholders such as `{{to}}` for what differs with each message',
    }),
    ...numberSettings('plus'),
    message_id: orNowhere({
      default: null,
      description:
        'Where the answer holds the carrier’s id of the message: a JSON Pointer, or `header:` and its name',
    }),
    success_statuses: Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), {
      maxItems: 20,
      default: [],
      description: 'Which mean that the carrier has taken the message; empty: every 2xx',
    }),
    success_value: nullable(
      Type.Unsafe<Static<typeof SuccessValue>>({
        ...SuccessValue,
        default: null,
        description: 'For carriers that answer 200 whatever happened: what the answer must hold',
      }),
    ),
    error_code: orNowhere({ default: null }),
    error_message: orNowhere({ default: null }),
    refusals: refusalCodes({
      default: { ...commonRefusals },
      description:
        'What the carrier’s error codes, or HTTP statuses, mean; others mean what their status says',
    }),
    encodings: Encodings,
    media: Type.Boolean({ default: false, description: 'Whether it takes MMS' }),
    timeout_seconds: Type.Integer({ minimum: 1, maximum: 120, default: 15 }),
    inbound_auth: Type.Enum([...inboundAuths], {
      default: 'signature',
      description:
        'How the carrier shows who posts: it signs with the secret, sends it, or signs as Twilio (the secret is its auth token) or Telnyx (its public key) does',
    }),
    kinds: nullable(
      Type.Unsafe<Static<typeof Kinds>>({
        ...Kinds,
        default: null,
        description: 'How to distinguish texts from receipts if both come to one URL; null: by their content',
      }),
    ),
    inbound: InboundMapping,
    receipts: ReceiptMapping,
    headers: headers(20, 'Sent with each request, such as Authorization', {}),
    inbound_secret: Type.String({
      ...{ pattern: '^([!-~]{16,255})?$', 'x-rule': 'empty, or 16 to 255 visible ASCII characters' },
      default: '',
      description: 'What the carrier signs its posts with, or sends; empty: its posts are refused',
    }),
  },
  { title: 'HttpCarrierSettings' },
)
export type HttpInput = Static<typeof HttpSettingsShape>
