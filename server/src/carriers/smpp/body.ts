/** What stands in the bodies of PDUs: C-octet strings, integers of one octet, and optional parameters (3.1, 3.2.4). */
import { PduError } from './pdu.js'

/** Tags of optional parameters (5.3.2). */
export const TAGS = {
  receipted_message_id: 0x001e,
  user_message_reference: 0x0204,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
} as const

/** Optional parameters by tag. */
export type Parameters = ReadonlyMap<number, Buffer>

export class BodyReader {
  private at = 0

  constructor(private readonly body: Buffer) {}

  /** @throws {PduError} like the others, where the body ends before it */
  cString(): string {
    const end = this.body.indexOf(0, this.at)
    if (end < 0) throw new PduError('a text without an end')
    const text = this.body.toString('latin1', this.at, end)
    this.at = end + 1
    return text
  }

  octet(): number {
    return this.octets(1).readUInt8(0)
  }

  octets(count: number): Buffer {
    if (this.at + count > this.body.length) throw new PduError('a body that ends too early')
    this.at += count
    return this.body.subarray(this.at - count, this.at)
  }

  /** The rest of the body; of those that stand there twice, the first. */
  parameters(): Parameters {
    const parameters = new Map<number, Buffer>()
    // some SMSCs fill their bodies up with a few octets
    while (this.at + 4 <= this.body.length) {
      const head = this.octets(4)
      const value = this.octets(head.readUInt16BE(2))
      const tag = head.readUInt16BE(0)
      if (!parameters.has(tag)) parameters.set(tag, value)
    }
    return parameters
  }
}

export function cString(text: string): Buffer {
  return Buffer.from(`${text.replaceAll('\0', '')}\0`, 'latin1')
}

export function parameter(tag: number, value: Buffer): Buffer {
  const head = Buffer.allocUnsafe(4)
  head.writeUInt16BE(tag, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}
