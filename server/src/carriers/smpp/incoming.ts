/** What an SMSC hands over: deliver_sm and data_sm (SMPP 3.4, 4.6.1 and 4.7.1). */
import { createHash } from 'node:crypto'
import type { InboundSegment, Receipt } from '../link.js'
import { BodyReader, TAGS, type Parameters } from './body.js'
import { sarConcatenation, withoutHeader } from './concatenation.js'
import { decodeText } from './data-coding.js'
import { COMMANDS, type Pdu } from './pdu.js'
import { parseReceipt } from './receipt.js'
import type { SmppSettings } from './settings.js'

/** esm_class (5.2.12): the type of a message, and that a user data header stands before its text. */
const TYPE = 0x3c
const RECEIPT = 0x04
const INTERMEDIATE = 0x20
const UDHI = 0x40

export type Incoming =
  | { readonly kind: 'segment'; readonly segment: InboundSegment }
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** A receipt that does not say of what. */
  | { readonly kind: 'nothing'; readonly text: string }

interface Message {
  readonly from: string
  readonly to: string
  readonly esm_class: number
  readonly data_coding: number
  readonly parameters: Parameters
  readonly octets: Buffer
}

/** @throws {PduError} */
export function readIncoming(pdu: Pdu, settings: SmppSettings): Incoming {
  const message = readMessage(pdu)
  const { esm_class, octets, parameters } = message
  const { concatenation, text: bytes } =
    esm_class & UDHI ? withoutHeader(octets) : { concatenation: null, text: octets }
  const text = decodeText(bytes, message.data_coding, settings.inbound_default_data_coding)
  if (isReceipt(message)) {
    const receipt = parseReceipt(message.from, text, parameters, (esm_class & TYPE) !== INTERMEDIATE)
    return receipt ? { kind: 'receipt', receipt } : { kind: 'nothing', text }
  }
  return {
    kind: 'segment',
    segment: {
      from: message.from,
      to: message.to,
      body: text,
      concatenation: concatenation ?? sarConcatenation(parameters),
      media: [],
      carrier_message_id: null, // SMPP has none: user_message_reference is the handset's, and comes round
      fingerprint: fingerprint(message),
    },
  }
}

function readMessage({ command, body }: Pdu): Message {
  const reader = new BodyReader(body)
  reader.cString() // service_type
  reader.octets(2)
  const from = digits(reader.cString())
  reader.octets(2)
  const to = digits(reader.cString())
  const esm_class = reader.octet()
  if (command === COMMANDS.data_sm) {
    reader.octet() // registered_delivery
    return { from, to, esm_class, ...payload(reader.octet(), reader) }
  }
  reader.octets(2) // protocol_id, priority_flag
  reader.cString() // schedule_delivery_time
  reader.cString() // validity_period
  reader.octets(2) // registered_delivery, replace_if_present_flag
  const data_coding = reader.octet()
  reader.octet() // sm_default_msg_id
  const shortMessage = reader.octets(reader.octet())
  return { from, to, esm_class, ...payload(data_coding, reader, shortMessage) }
}

function payload(data_coding: number, reader: BodyReader, shortMessage: Buffer = Buffer.alloc(0)) {
  const parameters = reader.parameters()
  const octets = shortMessage.length > 0 ? shortMessage : parameters.get(TAGS.message_payload)
  return { data_coding, parameters, octets: octets ?? shortMessage }
}

/** Some SMSCs leave esm_class at 0, and say with both parameters what it is. */
function isReceipt({ esm_class, parameters }: Message): boolean {
  const type = esm_class & TYPE
  if (type === RECEIPT || type === INTERMEDIATE) return true
  return type === 0 && parameters.has(TAGS.receipted_message_id) && parameters.has(TAGS.message_state)
}

function digits(address: string): string {
  return address.trim().replace(/^\+/, '')
}

/** What an SMSC does not change when it sends again. */
function fingerprint({ from, to, esm_class, data_coding, parameters, octets }: Message): string {
  const hash = createHash('sha256').update(`${from}\0${to}\0${esm_class}\0${data_coding}\0`)
  for (const tag of [TAGS.user_message_reference, TAGS.sar_msg_ref_num, TAGS.sar_segment_seqnum]) {
    hash.update(`${parameters.get(tag)?.toString('hex') ?? ''}\0`)
  }
  return hash.update(octets).digest('hex')
}
