/** A short message as submit_sm and deliver_sm carry it (4.4.1 and 4.6.1: both have the same fields). */
import { Fields, cString } from './pdu.js'

export interface TextMessage {
  readonly from: string
  readonly to: string
  readonly esmClass: number
  readonly wantsReceipt: boolean
  readonly dataCoding: number
  readonly content: Buffer
}

const MESSAGE_PAYLOAD = 0x0424

/** Longest short_message. */
const MOST_OCTETS = 254

/** @throws {BrokenLine} */
export function parseSubmission(body: Buffer): TextMessage {
  const fields = new Fields(body)
  fields.cString() // service_type
  const from = addressOf(fields)
  const to = addressOf(fields)
  const esmClass = fields.octet()
  fields.octets(2) // protocol_id, priority_flag
  fields.cString() // schedule_delivery_time
  fields.cString() // validity_period
  const wantsReceipt = (fields.octet() & 0x03) === 0x01
  fields.octet() // replace_if_present_flag
  const dataCoding = fields.octet()
  fields.octet() // sm_default_msg_id
  const short = fields.octets(fields.octet())
  const content = fields.parameters().get(MESSAGE_PAYLOAD) ?? short
  return { from, to, esmClass, wantsReceipt, dataCoding, content }
}

export function deliveryBody({ from, to, esmClass, dataCoding, content }: TextMessage): Buffer {
  const isShort = content.length <= MOST_OCTETS
  return Buffer.concat([
    cString(''),
    address(from),
    address(to),
    Buffer.from([esmClass, 0, 0]),
    cString(''),
    cString(''),
    Buffer.from([0, 0, dataCoding, 0, isShort ? content.length : 0]),
    ...(isShort ? [content] : [payloadHeader(content.length), content]),
  ])
}

function addressOf(fields: Fields): string {
  fields.octets(2) // type of number, numbering plan
  return fields.cString()
}

/** International, E.164. */
function address(digits: string): Buffer {
  return Buffer.concat([Buffer.from([1, 1]), cString(digits.replace('+', ''))])
}

function payloadHeader(length: number): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt16BE(MESSAGE_PAYLOAD, 0)
  header.writeUInt16BE(length, 2)
  return header
}
