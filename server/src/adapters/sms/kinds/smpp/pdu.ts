/** Protocol data units on the wire (SMPP 3.4, 3.2 and 5.1.2). */

/** command_id of those that this side sends or understands. An answer has bit 31 set. */
export const COMMANDS = {
  bind_receiver: 0x01,
  bind_transmitter: 0x02,
  submit_sm: 0x04,
  deliver_sm: 0x05,
  unbind: 0x06,
  bind_transceiver: 0x09,
  outbind: 0x0b,
  enquire_link: 0x15,
  alert_notification: 0x0102,
  data_sm: 0x0103,
  generic_nack: 0x80000000,
} as const

const ANSWER = 0x80000000
const HEADER_BYTES = 16

/** SMPP sets no limit. What carries a text has a few hundred octets, 64 KiB more with message_payload. */
export const MAX_PDU_BYTES = 64 * 1024 + 512

export interface Pdu {
  readonly command: number
  /** command_status: 0 in requests, and where all is well. */
  readonly status: number
  /** sequence_number: an answer has that of its request. */
  readonly sequence: number
  readonly body: Buffer
}

/** The octets are not a PDU, or not the one that the header announces. */
export class PduError extends Error {}

export function isAnswer(command: number): boolean {
  return command >= ANSWER
}

/** The command_id of the answer to a request. */
export function answerTo(command: number): number {
  return command + ANSWER
}

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(command, 4)
  bytes.writeUInt32BE(status, 8)
  bytes.writeUInt32BE(sequence, 12)
  body.copy(bytes, HEADER_BYTES)
  return bytes
}

/** Splits a connection's octets into PDUs. It holds at most one incomplete PDU, and the chunk after it. */
export class PduStream {
  private chunks: Buffer[] = []
  private held = 0
  /** How many octets are needed before the next PDU can be complete. */
  private wanted = HEADER_BYTES

  write(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.held += chunk.length
  }

  /**
   * The next complete PDU; null if there is none.
   * @throws {PduError} for a length that no PDU has: the start of the next one is unknown then
   */
  next(): Pdu | null {
    if (this.held < this.wanted) return null
    const bytes = this.joined()
    const length = bytes.readUInt32BE(0)
    if (length < HEADER_BYTES || length > MAX_PDU_BYTES) throw new PduError(`a PDU of ${length} octets`)
    if (this.held < length) {
      this.wanted = length
      return null
    }
    this.wanted = HEADER_BYTES
    this.held -= length
    this.chunks = this.held > 0 ? [bytes.subarray(length)] : []
    return {
      command: bytes.readUInt32BE(4),
      status: bytes.readUInt32BE(8),
      sequence: bytes.readUInt32BE(12),
      body: bytes.subarray(HEADER_BYTES, length),
    }
  }

  private joined(): Buffer {
    const [only] = this.chunks
    const bytes = only && this.chunks.length === 1 ? only : Buffer.concat(this.chunks)
    this.chunks = [bytes]
    return bytes
  }
}
