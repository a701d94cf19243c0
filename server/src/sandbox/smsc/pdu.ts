/** Protocol data units of SMPP 3.4, as an SMSC reads and writes them. */

export const REQUESTS = {
  bind_receiver: 0x01,
  bind_transmitter: 0x02,
  submit_sm: 0x04,
  deliver_sm: 0x05,
  unbind: 0x06,
  bind_transceiver: 0x09,
  enquire_link: 0x15,
} as const

export const RESPONSE = 0x80000000
export const GENERIC_NACK = 0x80000000

/** command_status (5.1.3). */
export const STATUS = {
  ok: 0x00,
  invalid_command: 0x03,
  not_bound: 0x04,
  already_bound: 0x05,
  invalid_destination: 0x0b,
  invalid_password: 0x0e,
  throttled: 0x58,
} as const

export interface Pdu {
  readonly command: number
  readonly status: number
  readonly sequence: number
  readonly body: Buffer
}

const HEADER = 16
/** A submit_sm with 64 KiB of message_payload. */
const MOST_BYTES = 70_000

/** What is on a line cannot be read any further. */
export class BrokenLine extends Error {}

/** Cuts a stream into PDUs. */
export class PduReader {
  #rest = Buffer.alloc(0)

  /** @throws {BrokenLine} */
  read(chunk: Buffer): Pdu[] {
    this.#rest = Buffer.concat([this.#rest, chunk])
    const pdus: Pdu[] = []
    while (this.#rest.length >= HEADER) {
      const length = this.#rest.readUInt32BE(0)
      if (length < HEADER || length > MOST_BYTES) throw new BrokenLine(`a PDU of ${length} octets`)
      if (this.#rest.length < length) break
      const bytes = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      const [command, status, sequence] = [4, 8, 12].map((at) => bytes.readUInt32BE(at)) as [
        number,
        number,
        number,
      ]
      pdus.push({ command, status, sequence, body: bytes.subarray(HEADER) })
    }
    return pdus
  }
}

export function encode(command: number, status: number, sequence: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER)
  for (const [index, value] of [HEADER + body.length, command, status, sequence].entries()) {
    header.writeUInt32BE(value, index * 4)
  }
  return Buffer.concat([header, body])
}

/** A C-octet string (3.1). */
export function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1')
}

/** Reads the fields of a body, one after the other. */
export class Fields {
  #at = 0
  constructor(private readonly body: Buffer) {}

  /** @throws {BrokenLine} where none ends */
  cString(): string {
    const end = this.body.indexOf(0, this.#at)
    if (end < 0) throw new BrokenLine('a text without its end')
    const text = this.body.toString('latin1', this.#at, end)
    this.#at = end + 1
    return text
  }

  /** @throws {BrokenLine} where none is left */
  octet(): number {
    const value = this.body[this.#at++]
    if (value === undefined) throw new BrokenLine('a body that ends too soon')
    return value
  }

  octets(count: number): Buffer {
    const bytes = this.body.subarray(this.#at, this.#at + count)
    this.#at += count
    return bytes
  }

  /** The optional parameters (5.3), which are all that is left. */
  parameters(): Map<number, Buffer> {
    const found = new Map<number, Buffer>()
    while (this.body.length - this.#at >= 4) {
      const tag = this.body.readUInt16BE(this.#at)
      const length = this.body.readUInt16BE(this.#at + 2)
      this.#at += 4
      found.set(tag, this.octets(length))
    }
    return found
  }
}
