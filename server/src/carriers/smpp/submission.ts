/** How a message goes out: its segments, and the submit_sm of each (SMPP 3.4, 4.4.1). */
import { SubmitError, type OutboundText, type Segment } from '../link.js'
import { splitText } from '../text/segments.js'
import { TAGS, cString, parameter } from './body.js'
import { partHead } from './concatenation.js'
import { encodeText, fits } from './data-coding.js'
import type { SmppSettings } from './settings.js'

/** esm_class: a user data header stands before the text. */
const UDHI = 0x40
/** registered_delivery: a receipt, whatever becomes of it. */
const RECEIPT = 0x01
/** What short_message holds. */
const SHORT_MESSAGE_BYTES = 254
/** With a header of 7 octets, one more than the usual. */
const SIZES_16_BIT = { gsm7: { whole: 160, part: 152 }, ucs2: { whole: 70, part: 66 } }
/** Segments have one octet for their number. */
const MAX_SEGMENTS = 255

export function segmentsOf(message: OutboundText, settings: SmppSettings): readonly Segment[] {
  const { body } = message
  const encoding =
    message.encoding === 'gsm7' && !fits(body, settings.gsm7_data_coding) ? 'ucs2' : message.encoding
  const { long_messages } = settings
  const sizes = long_messages === 'udh16' ? SIZES_16_BIT[encoding] : undefined
  const parts = long_messages === 'payload' ? [body] : splitText(body, encoding, sizes)
  return parts.map((part, index) => ({ ...message, encoding, body: part, index, total: parts.length }))
}

/** @throws {SubmitError} for what SMPP cannot carry */
export function submitBody(segment: Segment, settings: SmppSettings): Buffer {
  if (segment.media.length > 0) {
    throw new SubmitError('carrier', 'media_unsupported', 'SMPP carriers take texts, and no files')
  }
  if (segment.total > MAX_SEGMENTS) {
    throw new SubmitError('permanent', 'too_long', `a text of more than ${MAX_SEGMENTS} segments`)
  }
  const { data_coding, octets } = encodeText(segment.body, segment.encoding, settings.gsm7_data_coding)
  const { header, parameters } = partHead(segment, settings.long_messages)
  const message = Buffer.concat([header, octets])
  const inPayload = message.length > SHORT_MESSAGE_BYTES
  const shortMessage = inPayload ? Buffer.alloc(0) : message
  return Buffer.concat([
    cString(''), // service_type
    Buffer.from([settings.source_ton, settings.source_npi]),
    cString(addressOf(segment.from, settings)),
    Buffer.from([settings.destination_ton, settings.destination_npi]),
    cString(addressOf(segment.to, settings)),
    Buffer.from([header.length > 0 ? UDHI : 0, 0, 0]), // esm_class, protocol_id, priority_flag
    cString(''), // schedule_delivery_time
    cString(validityPeriod(settings.validity_seconds)),
    Buffer.from([RECEIPT, 0, data_coding, 0, shortMessage.length]),
    shortMessage,
    ...parameters,
    ...(inPayload ? [parameter(TAGS.message_payload, message)] : []),
  ])
}

function addressOf(digits: string, { number_format }: SmppSettings): string {
  return number_format === 'plus' ? `+${digits}` : digits
}

/** Relative, `YYMMDDhhmmss000R` (7.1.1.2); '' for none. */
function validityPeriod(seconds: number): string {
  if (seconds <= 0) return ''
  const days = Math.floor(seconds / 86_400)
  const fields = [
    ...[Math.floor(days / 365), Math.floor((days % 365) / 30), (days % 365) % 30],
    ...[Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60],
  ]
  return `${fields.map((field) => String(field).padStart(2, '0')).join('')}000R`
}
