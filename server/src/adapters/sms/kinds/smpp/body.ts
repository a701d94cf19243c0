/** The bodies of PDUs: C-octet strings, integers of one octet, and optional parameters (3.1, 3.2.4). */
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
    return this.atMost(count)
  }

  /** As many as there are. */
  atMost(count: number): Buffer {
    const octets = this.body.subarray(this.at, this.at + count)
    this.at += octets.length
    return octets
  }

  /** The rest of the body. */
  parameters(): Parameters {
    return readParameters(this.body.subarray(this.at))
  }
}

/** Octets that some SMSCs put before the parameters, to end short_message or to fill up. */
const MAX_FILLING = 8

/**
 * Optional parameters. Of repeated ones the first with a value counts. Damaged parameters, and those that cannot be
 * separated from them, are left out: a text is not lost because of its parameters.
 */
export function readParameters(octets: Buffer): Parameters {
  const asTheyStand = parametersFrom(octets, 0)
  if (asTheyStand.isWhole) return asTheyStand.parameters
  for (let at = 1; at <= MAX_FILLING && octets[at - 1] === 0; at++) {
    const behind = parametersFrom(octets, at)
    if (behind.isWhole && behind.parameters.size > 0) return behind.parameters
  }
  return asTheyStand.parameters
}

function parametersFrom(octets: Buffer, start: number): { parameters: Parameters; isWhole: boolean } {
  const parameters = new Map<number, Buffer>()
  let at = start
  while (at + 4 <= octets.length) {
    const tag = octets.readUInt16BE(at)
    const length = octets.readUInt16BE(at + 2)
    const value = octets.subarray(at + 4, at + 4 + length)
    const isDamaged = value.length < length
    // The text itself is taken as far as it goes.
    if (isDamaged && tag !== TAGS.message_payload) return { parameters, isWhole: false }
    if (!parameters.get(tag)?.length) parameters.set(tag, value)
    if (isDamaged) return { parameters, isWhole: false }
    at += 4 + length
  }
  // A few octets of filling are no damage.
  return { parameters, isWhole: octets.subarray(at).every((octet) => octet === 0) }
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
