/** An inbound text, its row for recognising repetitions, and its message. */
import type { InboundSegment } from '../../../adapters/sms/link.js'
import { isE164 } from '../../../adapters/sms/numbers.js'
import { cleanText } from '../../../adapters/sms/text/clean.js'
import { asUcs2, codingOf } from '../../../adapters/sms/text/encoded-text.js'
import { encodingOf, segmentCount } from '../../../adapters/sms/text/segments.js'
import { newId } from '../../../infrastructure/database/ids.js'
import type { Message } from '../message.entity.js'
import type { InboundSegmentRow } from './inbound-segment.entity.js'
import { joined } from './long-texts.js'
import { storedId } from './repetitions.js'

/** A text that is as whole as it will be. */
export interface InboundText {
  readonly carrier_id: string
  readonly client_number: string
  /** The short code that it was for; null: the number itself. */
  readonly originator: string | null
  readonly body: string
  /** The number of its segments; undefined for a text that is not concatenated. */
  readonly parts?: number
  readonly media: InboundSegment['media']
  readonly carrier_message_id: string | null
}

/** The column is a TINYINT. */
const mostSegments = 255

/** The two ends of a text, as tables hold them. */
export interface Parties {
  readonly from_number: string
  readonly to_number: string
}

export function rowOf(
  id: string,
  carrierId: string,
  segment: InboundSegment,
  bindId: string,
  { from_number, to_number }: Parties,
): InboundSegmentRow {
  const part = partOf(segment)
  const encoded = part && (segment.encoded ?? asUcs2(segment.body))
  return {
    ...{ id, carrier_id: carrierId, bind_id: bindId, from_number, to_number },
    carrier_message_id: storedId(segment.carrier_message_id, part?.index ?? null),
    fingerprint: segment.fingerprint,
    ...{ reference: part?.reference ?? null, segment: part?.index ?? null, total: part?.total ?? null },
    ...{ coding: encoded && codingOf(encoded), body: encoded && encoded.octets },
    received_at: new Date(),
  }
}

/** Ignores an impossible header: the text is shown as it came. */
export function partOf({ concatenation, media }: InboundSegment): InboundSegment['concatenation'] {
  if (!concatenation || media.length > 0) return null
  const { index, total } = concatenation
  return total > 1 && total <= mostSegments && index >= 0 && index < total ? concatenation : null
}

export function textOf(row: InboundSegmentRow): Omit<InboundText, 'body'> {
  const { carrier_id, from_number, to_number, carrier_message_id } = row
  const originator = isE164(to_number) ? null : to_number
  return { carrier_id, client_number: from_number, originator, carrier_message_id, media: [] }
}

export function textOfParts(parts: readonly InboundSegmentRow[]): InboundText {
  const [first] = parts
  if (!first) throw new Error('a text has at least one part')
  return { ...textOf(first), body: joined(parts), parts: parts.length }
}

type Owned = Pick<
  Message,
  | 'workspace_id'
  | 'conversation_id'
  | 'position'
  | 'phone_number_id'
  | 'system_number'
  | 'client_number'
  | 'created_at'
>

export function messageOf(owned: Owned, text: InboundText): Message {
  const body = cleanText(text.body)
  return {
    ...{ id: newId('msg'), ...owned, originator: text.originator },
    ...{ direction: 'inbound', status: 'received', sender_type: 'client', sender_id: null },
    ...{ body, encoding: encodingOf(body) },
    segments: text.parts ?? Math.min(segmentCount(body), mostSegments),
    ...{
      attachments: 0,
      pending_media_urls: null,
      price: 0,
      cost: null,
      error_code: null,
      error_message: null,
    },
    ...{ rate_deck_id: null, rate_prefix: null },
    ...{ carrier_id: text.carrier_id, carrier_message_id: text.carrier_message_id },
    ...{ sent_at: null, updated_at: owned.created_at },
  }
}
