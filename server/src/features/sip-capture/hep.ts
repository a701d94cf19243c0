/** HEP version 3, in which Kamailio hands over SIP messages that it has received or sent (hep3_rev12, sipcapture/HEP). */

/** A SIP message on its way. */
export interface CapturedMessage {
  readonly source: Endpoint
  readonly destination: Endpoint
  /** Microseconds since 1970. */
  readonly at: bigint
  /** The message as it was on the wire. */
  readonly payload: Buffer
}

export interface Endpoint {
  /** 4 or 16 bytes. */
  readonly address: Buffer
  readonly port: number
}

const magic = 'HEP3'
const headBytes = 6
const chunkBytes = 6

const chunk = {
  ...{ source4: 3, destination4: 4, source6: 5, destination6: 6, sourcePort: 7, destinationPort: 8 },
  ...{ seconds: 9, microseconds: 10, protocol: 11, payload: 15 },
} as const

const sip = 1

/** Reads a datagram; the payload is a part of it. @returns null for what is no SIP in HEP 3 */
export function messageIn(datagram: Buffer): CapturedMessage | null {
  if (datagram.length < headBytes || datagram.toString('latin1', 0, 4) !== magic) return null
  if (datagram.readUInt16BE(4) !== datagram.length) return null
  const chunks = new Map<number, Buffer>()
  for (let at = headBytes; at + chunkBytes <= datagram.length;) {
    const [vendor, kind, length] = [0, 2, 4].map((offset) => datagram.readUInt16BE(at + offset))
    if (length === undefined || length < chunkBytes || at + length > datagram.length) return null
    if (vendor === 0 && kind !== undefined) chunks.set(kind, datagram.subarray(at + chunkBytes, at + length))
    at += length
  }
  const number = (kind: number, bytes: number) => {
    const value = chunks.get(kind)
    return value?.length === bytes ? value.readUIntBE(0, bytes) : undefined
  }
  const payload = chunks.get(chunk.payload)
  const source = addressOf(chunks.get(chunk.source4), chunks.get(chunk.source6))
  const destination = addressOf(chunks.get(chunk.destination4), chunks.get(chunk.destination6))
  const seconds = number(chunk.seconds, 4)
  if (!payload || !source || source.length !== destination?.length || seconds === undefined) return null
  const microseconds = number(chunk.microseconds, 4) ?? 0
  if (number(chunk.protocol, 1) !== sip || microseconds >= 1_000_000) return null
  return {
    source: { address: source, port: number(chunk.sourcePort, 2) ?? 0 },
    destination: { address: destination, port: number(chunk.destinationPort, 2) ?? 0 },
    at: BigInt(seconds) * 1_000_000n + BigInt(microseconds),
    payload,
  }
}

function addressOf(four: Buffer | undefined, sixteen: Buffer | undefined): Buffer | null {
  if (four?.length === 4) return four
  return sixteen?.length === 16 ? sixteen : null
}
