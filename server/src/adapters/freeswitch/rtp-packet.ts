/** Packets of RTP (RFC 3550, section 5.1) that carry raw audio (L16, RFC 3551, section 4.5.11). */

const headerBytes = 12

export interface RtpHeader {
  payloadType: number
  sequence: number
  timestamp: number
  source: number
  /** The switch flushes its buffer of the stream, and this packet. */
  isMarked: boolean
}

/** One frame, on its way out. */
export function rtpPacket(header: RtpHeader, samples: Int16Array): Buffer {
  const packet = Buffer.allocUnsafe(headerBytes + samples.byteLength)
  packet[0] = 0x80
  packet[1] = header.payloadType | (header.isMarked ? 0x80 : 0)
  packet.writeUInt16BE(header.sequence, 2)
  packet.writeUInt32BE(header.timestamp, 4)
  packet.writeUInt32BE(header.source, 8)
  packet.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), headerBytes)
  packet.subarray(headerBytes).swap16()
  return packet
}

/**
 * One frame that has come.
 * @param length how many samples it has
 * @returns null for what is no frame of that type and length
 */
export function samplesOf(packet: Buffer, payloadType: number, length: number): Int16Array | null {
  const [first = 0, second = 0] = packet
  const hasMore = (first & 0x30) !== 0
  const start = headerBytes + 4 * (first & 0x0f)
  if (first >> 6 !== 2 || hasMore || (second & 0x7f) !== payloadType) return null
  if (packet.length !== start + 2 * length) return null
  const samples = new Int16Array(length)
  const bytes = Buffer.from(samples.buffer)
  packet.copy(bytes, 0, start)
  bytes.swap16()
  return samples
}
