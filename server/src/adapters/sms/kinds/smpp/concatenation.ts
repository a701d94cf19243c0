/** Fields that join the parts of a long text (3GPP TS 23.040, 9.2.3.24.1 and .8; SMPP 3.4, 5.3.2.22…). */
import { createHash } from 'node:crypto'
import type { InboundSegment, Segment } from '../../link.js'
import type { ShiftTables } from '../../text/gsm7.js'
import { TAGS, parameter, type Parameters } from './body.js'
import type { SmppSettings } from './settings.js'

/** Information elements of a user data header. */
const CONCATENATED = 0x00
const CONCATENATED_16_BIT = 0x08
const SINGLE_SHIFT = 0x24
const LOCKING_SHIFT = 0x25

/** The header of a part: octets before its text, or parameters after the body. */
export interface PartHead {
  readonly header: Buffer
  readonly parameters: readonly Buffer[]
}

const NOTHING: PartHead = { header: Buffer.alloc(0), parameters: [] }

/**
 * The same for each try of a message, and seldom the same for two messages that are on their way to one handset.
 * @returns from 0 to 65535
 */
function referenceOf(messageId: string): number {
  return createHash('sha256').update(messageId).digest().readUInt16BE()
}

export function partHead({ id, index, total }: Segment, how: SmppSettings['long_messages']): PartHead {
  if (total === 1) return NOTHING
  const reference = referenceOf(id)
  if (how === 'sar') {
    return {
      header: NOTHING.header,
      parameters: [
        parameter(TAGS.sar_msg_ref_num, Buffer.from([reference >> 8, reference & 0xff])),
        parameter(TAGS.sar_total_segments, Buffer.from([total])),
        parameter(TAGS.sar_segment_seqnum, Buffer.from([index + 1])),
      ],
    }
  }
  const header =
    how === 'udh16'
      ? [6, CONCATENATED_16_BIT, 4, reference >> 8, reference & 0xff, total, index + 1]
      : [5, CONCATENATED, 3, reference & 0xff, total, index + 1]
  return { header: Buffer.from(header), parameters: [] }
}

type Concatenation = NonNullable<InboundSegment['concatenation']>

/** A message, and what its user data header says of it. */
export interface HeadedText {
  readonly concatenation: Concatenation | null
  /** National language tables, where it names some. */
  readonly tables?: ShiftTables
  /** Octets of the header, with its length octet; 0 if there is none. */
  readonly headerLength: number
  readonly text: Buffer
}

export const withoutAny = (message: Buffer): HeadedText => ({
  concatenation: null,
  headerLength: 0,
  text: message,
})

/**
 * Splits the user data header from a message.
 * @returns all of the message as text if there is no header, or one that is longer than the message
 */
export function withoutHeader(message: Buffer): HeadedText {
  const headerLength = (message[0] ?? 0) + 1
  if (headerLength > message.length) return withoutAny(message)
  let concatenation: Concatenation | null = null
  let [locking, single] = [0, 0]
  for (const [id, value] of elementsOf(message.subarray(1, headerLength))) {
    if (id === CONCATENATED && value.length === 3) {
      concatenation ??= checked(value.readUInt8(0), value.readUInt8(1), value.readUInt8(2))
    } else if (id === CONCATENATED_16_BIT && value.length === 4) {
      concatenation ??= checked(value.readUInt16BE(0), value.readUInt8(2), value.readUInt8(3))
    } else if (id === LOCKING_SHIFT && value.length === 1) {
      locking = value.readUInt8(0)
    } else if (id === SINGLE_SHIFT && value.length === 1) {
      single = value.readUInt8(0)
    }
  }
  const tables = locking || single ? { tables: { locking, single } } : {}
  return { concatenation, ...tables, headerLength, text: message.subarray(headerLength) }
}

/** Whether a message has the header of a part, though nothing says that it has one. */
export function hasPartHeader(message: Buffer): boolean {
  const [length, id, size] = message
  const isHead =
    (length === 5 && id === CONCATENATED && size === 3) ||
    (length === 6 && id === CONCATENATED_16_BIT && size === 4)
  return isHead && withoutHeader(message).concatenation !== null
}

function* elementsOf(header: Buffer): Generator<[id: number, value: Buffer]> {
  for (let at = 0; at + 2 <= header.length;) {
    const [id = 0, size = 0] = header.subarray(at)
    yield [id, header.subarray(at + 2, at + 2 + size)]
    at += 2 + size
  }
}

/** Reads sar_msg_ref_num, sar_total_segments and sar_segment_seqnum; null unless all three are present. */
export function sarConcatenation(parameters: Parameters): Concatenation | null {
  const reference = parameters.get(TAGS.sar_msg_ref_num)
  const total = parameters.get(TAGS.sar_total_segments)
  const index = parameters.get(TAGS.sar_segment_seqnum)
  if (reference?.length !== 2 || total?.length !== 1 || index?.length !== 1) return null
  return checked(reference.readUInt16BE(), total.readUInt8(), index.readUInt8())
}

/** An impossible part: the message counts as a complete one (TS 23.040). */
function checked(reference: number, total: number, number: number): Concatenation | null {
  return number < 1 || number > total || total < 2 ? null : { reference, total, index: number - 1 }
}
