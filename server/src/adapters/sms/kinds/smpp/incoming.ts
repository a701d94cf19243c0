/** Reads deliver_sm and data_sm of an SMSC (SMPP 3.4, 4.6.1 and 4.7.1). */
import { createHash } from 'node:crypto'
import type { InboundSegment, Receipt } from '../../link.js'
import { meaningIn } from '../../meaning.js'
import { decodeTexts } from '../../text/encoded-text.js'
import { type PartyAddress, partyOf } from './address.js'
import { BodyReader, TAGS, type Parameters } from './body.js'
import { hasPartHeader, sarConcatenation, withoutAny, withoutHeader } from './concatenation.js'
import { inboundText } from './data-coding.js'
import { COMMANDS, type Pdu } from './pdu.js'
import { isWholeReceipt, looksLikeReceipt, parseReceipt } from './receipt.js'
import type { SmppSettings } from './settings.js'

/** esm_class (5.2.12): the type of a message, and whether a user data header precedes its text. */
const TYPE = 0x3c
const RECEIPT = 0x04
const DELIVERY_ACKNOWLEDGEMENT = 0x08
const INTERMEDIATE = 0x20
const UDHI = 0x40

export type Incoming =
  | {
      readonly kind: 'segment'
      readonly segment: InboundSegment
      /** What it is where it names a message that went out over this carrier: nothing but its content says so. */
      readonly receipt: Receipt | null
    }
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** A receipt that does not say of what. */
  | { readonly kind: 'nothing'; readonly text: string }

interface Message {
  readonly from: PartyAddress
  readonly to: PartyAddress
  readonly esm_class: number
  readonly data_coding: number
  readonly parameters: Parameters
  readonly octets: Buffer
}

/** @throws {PduError} where the mandatory part of the body cannot be read */
export function readIncoming(pdu: Pdu, settings: SmppSettings): Incoming {
  const message = readMessage(pdu)
  const { esm_class, octets, parameters, data_coding, from, to } = message
  const { country, inbound_number_format, inbound_number_prefix } = settings
  const headed = esm_class & UDHI || hasPartHeader(octets) ? withoutHeader(octets) : withoutAny(octets)
  const encoded = inboundText(headed.text, { data_coding, ...headed }, settings)
  const type = esm_class & TYPE
  // Receipts are written in ASCII, whatever their data_coding says, but for those in UCS-2.
  const words =
    encoded.alphabet === 'ucs2'
      ? decodeTexts([encoded])
      : encoded.octets.toString('latin1').replaceAll('\0', '')
  const receipt = () => {
    const found = parseReceipt(
      from.digits,
      words,
      parameters,
      type !== INTERMEDIATE,
      settings.receipt_statuses,
    )
    if (!found) return null
    // Receipts have codes of their own: 045 is not the command_status 45.
    const code = found.error_code === null ? '' : `err:${found.error_code}`
    const hasOptedOut = meaningIn(settings.refusals, code) === 'opted_out'
    return {
      ...found,
      ...(to.digits !== '' && { or_to: to.digits }),
      ...(hasOptedOut && { has_opted_out: true }),
    }
  }
  const looksLikeOne = looksLikeReceipt(words)
  const names = parameters.has(TAGS.receipted_message_id)
  const isEmpty = words === ''
  // No handset can write the parameters.
  const isNamed = names && (isEmpty || looksLikeOne || parameters.has(TAGS.message_state))
  if (type === RECEIPT || type === INTERMEDIATE || isNamed || isWholeReceipt(words)) {
    const found = receipt()
    return found ? { kind: 'receipt', receipt: found } : { kind: 'nothing', text: words }
  }
  // A handset's acknowledgement without a text says nothing.
  if (type === DELIVERY_ACKNOWLEDGEMENT && isEmpty) return { kind: 'nothing', text: '' }
  return {
    kind: 'segment',
    receipt: names || looksLikeOne ? receipt() : null,
    segment: {
      ...{ from: from.digits, from_type: from.type, to: to.digits, to_type: to.type },
      numbers: { country, inbound_number_format, inbound_number_prefix },
      ...{ body: decodeTexts([encoded]), encoded },
      concatenation: headed.concatenation ?? sarConcatenation(parameters),
      media: [],
      carrier_message_id: null, // SMPP has none: user_message_reference is the handset's, and comes round
      fingerprint: fingerprint(message),
    },
  }
}

function readMessage({ command, body }: Pdu): Message {
  const reader = new BodyReader(body)
  reader.cString() // service_type
  const from = addressFrom(reader)
  const to = addressFrom(reader)
  const esm_class = reader.octet()
  if (command === COMMANDS.data_sm) {
    reader.octet() // registered_delivery
    return { from, to, esm_class, ...payload(reader.octet(), reader, Buffer.alloc(0), esm_class) }
  }
  reader.octets(2) // protocol_id, priority_flag
  reader.cString() // schedule_delivery_time
  reader.cString() // validity_period
  reader.octets(2) // registered_delivery, replace_if_present_flag
  const data_coding = reader.octet()
  reader.octet() // sm_default_msg_id
  // A length beyond the end of the body takes what is there: the text is not lost for it.
  return { from, to, esm_class, ...payload(data_coding, reader, reader.atMost(reader.octet()), esm_class) }
}

function addressFrom(reader: BodyReader): PartyAddress {
  const ton = reader.octet()
  reader.octet() // numbering plan: it says nothing that the type does not
  return partyOf(ton, reader.cString())
}

function payload(data_coding: number, reader: BodyReader, shortMessage: Buffer, esm_class: number) {
  const parameters = reader.parameters()
  const long = parameters.get(TAGS.message_payload)
  return { data_coding, parameters, octets: long ? joined(shortMessage, long, esm_class) : shortMessage }
}

/** Both are there in odd PDUs only: the payload is the whole text, or what follows a header, or is not meant. */
function joined(short: Buffer, long: Buffer, esm_class: number): Buffer {
  const isHeaderAlone = Boolean(esm_class & UDHI) && short.length === (short[0] ?? 0) + 1
  if (short.length === 0 || long.subarray(0, short.length).equals(short)) return long
  return isHeaderAlone ? Buffer.concat([short, long]) : short
}

/** The fields that an SMSC does not change when it repeats a message. */
function fingerprint({ from, to, esm_class, data_coding, parameters, octets }: Message): string {
  const hash = createHash('sha256')
  hash.update(`${from.digits}\0${to.digits}\0${esm_class}\0${data_coding}\0`)
  for (const tag of [TAGS.user_message_reference, TAGS.sar_msg_ref_num, TAGS.sar_segment_seqnum]) {
    hash.update(`${parameters.get(tag)?.toString('hex') ?? ''}\0`)
  }
  return hash.update(octets).digest('hex')
}
