/**
 * Writes packets as a pcap file (draft-ietf-opsawg-pcap), which Wireshark reads. The packets are made up around the
 * messages: IP and UDP, whatever they came over.
 */
import type { CapturedMessage } from './hep.js'

const magicOfMicroseconds = 0xa1b2c3d4
/** LINKTYPE_RAW: each packet begins with its IP header. */
const rawIp = 101
const maxPacket = 65_535
const udp = 17

/** @param messages in the order of their time */
export function pcapOf(messages: readonly CapturedMessage[]): Buffer {
  const head = Buffer.alloc(24)
  head.writeUInt32LE(magicOfMicroseconds, 0)
  head.writeUInt16LE(2, 4)
  head.writeUInt16LE(4, 6)
  head.writeUInt32LE(maxPacket, 16)
  head.writeUInt32LE(rawIp, 20)
  return Buffer.concat([head, ...messages.flatMap((message) => recordOf(message))])
}

function recordOf(message: CapturedMessage): Buffer[] {
  const packet = packetOf(message)
  const head = Buffer.alloc(16)
  head.writeUInt32LE(Number(message.at / 1_000_000n), 0)
  head.writeUInt32LE(Number(message.at % 1_000_000n), 4)
  head.writeUInt32LE(packet.length, 8)
  head.writeUInt32LE(packet.length, 12)
  return [head, packet]
}

function packetOf({ source, destination, payload }: CapturedMessage): Buffer {
  const isV6 = source.address.length === 16
  const body = payload.subarray(0, maxPacket - 48)
  const datagram = Buffer.alloc(8 + body.length)
  datagram.writeUInt16BE(source.port, 0)
  datagram.writeUInt16BE(destination.port, 2)
  datagram.writeUInt16BE(datagram.length, 4)
  body.copy(datagram, 8)
  const pseudo = Buffer.alloc(8)
  pseudo.writeUInt32BE(datagram.length, 0)
  pseudo[7] = udp
  // 0 would say that there is none, which IPv6 does not allow.
  const sum = checksum([source.address, destination.address, pseudo, datagram]) || 0xffff
  datagram.writeUInt16BE(sum, 6)
  return Buffer.concat([
    isV6 ? headV6(datagram.length) : headV4(datagram.length, source.address, destination.address),
    ...(isV6 ? [source.address, destination.address] : []),
    datagram,
  ])
}

function headV4(length: number, source: Buffer, destination: Buffer): Buffer {
  const head = Buffer.alloc(20)
  head[0] = 0x45
  head.writeUInt16BE(20 + length, 2)
  head[8] = 64
  head[9] = udp
  source.copy(head, 12)
  destination.copy(head, 16)
  head.writeUInt16BE(checksum([head]), 10)
  return head
}

/** Without the addresses, which follow. */
function headV6(length: number): Buffer {
  const head = Buffer.alloc(8)
  head[0] = 0x60
  head.writeUInt16BE(length, 4)
  head[6] = udp
  head[7] = 64
  return head
}

/** RFC 1071. All parts but the last have an even length. */
function checksum(parts: readonly Buffer[]): number {
  let sum = 0
  for (const part of parts) {
    for (let at = 0; at + 1 < part.length; at += 2) sum += part.readUInt16BE(at)
    if (part.length % 2 === 1) sum += (part.at(-1) ?? 0) << 8
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}
