/** A deliver_sm octet by octet (SMPP 3.4, 4.6.1), so that it can be as odd as those of real SMSCs are. */

export interface DeliverSm {
  from?: string
  to?: string
  from_ton?: number
  to_ton?: number
  esm_class?: number
  data_coding?: number
  /** short_message, hex. */
  hex?: string
  /** sm_length; without it that of short_message. */
  length?: number
  /** Whatever stands behind short_message, hex. */
  behind?: string
}

export function deliverSmBody({
  from = '12025550177',
  to = '12025550100',
  from_ton = 1,
  to_ton = 1,
  esm_class = 0,
  data_coding = 0,
  hex = '',
  length = hex.length / 2,
  behind = '',
}: DeliverSm): Buffer {
  return Buffer.concat([
    Buffer.from([0, from_ton, 1]),
    Buffer.from(`${from}\0`, 'latin1'),
    Buffer.from([to_ton, 1]),
    Buffer.from(`${to}\0`, 'latin1'),
    Buffer.from([esm_class, 0, 0, 0, 0, 0, 0, data_coding, 0, length]),
    Buffer.from(hex + behind, 'hex'),
  ])
}

/** The whole PDU, as hex. */
export function deliverSm(sequence: number, message: DeliverSm): string {
  const body = deliverSmBody(message)
  const head = Buffer.alloc(16)
  for (const [index, value] of [16 + body.length, 5, 0, sequence].entries())
    head.writeUInt32BE(value, index * 4)
  return Buffer.concat([head, body]).toString('hex')
}

export const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex')

/** An optional parameter, hex. @param length that it says to have; without it its own */
export function tlv(tag: number, value: string, length = value.length / 2): string {
  return tag.toString(16).padStart(4, '0') + length.toString(16).padStart(4, '0') + value
}
