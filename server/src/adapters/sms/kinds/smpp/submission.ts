/** How a message goes out: its segments, and the submit_sm of each (SMPP 3.4, 4.4.1). */
import { SubmitError, type OutboundText, type Segment } from '../../link.js'
import { countryOf, writeNumber } from '../../numbers.js'
import { splitText } from '../../text/segments.js'
import { address } from './address.js'
import { TAGS, cString, parameter } from './body.js'
import { partHead } from './concatenation.js'
import { encodeText, fits } from './data-coding.js'
import type { SmppSettings } from './settings.js'

/** esm_class: a user data header precedes the text. */
const UDHI = 0x40
/** The length of short_message. */
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
  const { header, parameters } = partHead(segment, settings.long_messages)
  const { gsm7_data_coding } = settings
  const { data_coding, octets } = encodeText(segment.body, segment.encoding, gsm7_data_coding, header.length)
  const message = Buffer.concat([header, octets])
  const inPayload = message.length > SHORT_MESSAGE_BYTES
  const shortMessage = inPayload ? Buffer.alloc(0) : message
  const country = segment.country || countryOf(segment.from)
  const { source_ton, source_npi, destination_ton, destination_npi } = settings
  return Buffer.concat([
    cString(settings.service_type),
    address(writeNumber(segment.from, settings, country), settings, [source_ton, source_npi]),
    address(writeNumber(segment.to, settings, country), settings, [destination_ton, destination_npi]),
    Buffer.from([header.length > 0 ? UDHI : 0, settings.protocol_id, settings.priority]),
    cString(''), // schedule_delivery_time
    cString(validityPeriod(settings, Date.now())),
    Buffer.from([settings.registered_delivery, 0, data_coding, 0, shortMessage.length]),
    shortMessage,
    ...parameters,
    ...(inPayload ? [parameter(TAGS.message_payload, message)] : []),
  ])
}

/** Of 0 seconds none; absolute in UTC, or relative: `YYMMDDhhmmss000R` (7.1.1). */
function validityPeriod({ validity_seconds, validity_format }: SmppSettings, now: number): string {
  if (validity_seconds <= 0) return ''
  if (validity_format === 'relative') return relativePeriod(validity_seconds)
  const until = new Date(now + validity_seconds * 1000).toISOString()
  return `${until.replace(/\D/g, '').slice(2, 14)}000+`
}

function relativePeriod(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const fields = [
    ...[Math.floor(days / 365), Math.floor((days % 365) / 30), (days % 365) % 30],
    ...[Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60],
  ]
  return `${fields.map((field) => String(field).padStart(2, '0')).join('')}000R`
}
