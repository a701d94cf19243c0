/** The least of SMPP 3.4 that a client and an SMSC need to exchange submissions. */

export const bindTransceiver = 0x09
export const submitSm = 0x04
export const answerBit = 0x80000000

const headerLength = 16

export function pdu(command: number, sequence: number, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headerLength + body.length)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(command >>> 0, 4)
  bytes.writeUInt32BE(0, 8)
  bytes.writeUInt32BE(sequence, 12)
  body.copy(bytes, headerLength)
  return bytes
}

/** @returns a function that takes what a socket reads; `received` gets each PDU's command and sequence number */
export function pduReader(received: (command: number, sequence: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (bytes.length - at >= headerLength && bytes.length - at >= bytes.readUInt32BE(at)) {
      received(bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 12))
      at += bytes.readUInt32BE(at)
    }
    rest = bytes.subarray(at)
  }
}
