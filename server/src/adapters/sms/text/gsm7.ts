/**
 * The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, 6.2.1 and 6.2.1.1), one septet a byte as SMPP
 * carries it. National tables are read, and not written: many handsets and carriers do not know them.
 */
import { lockingTables, singleTables } from './national-alphabets.js'

const ESCAPE = 0x1b

const ALPHABET = [
  ...'@£$¥èéùìòÇ\nØø\rÅå',
  ...'Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ',
  ...' !"#¤%&\'()*+,-./',
  ...'0123456789:;<=>?',
  ...'¡ABCDEFGHIJKLMNO',
  ...'PQRSTUVWXYZÄÖÑÜ§',
  ...'¿abcdefghijklmno',
  ...'pqrstuvwxyzäöñüà',
]

const EXTENSION = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
])

const septets = new Map<string, readonly number[]>([
  ...ALPHABET.map((character, code): [string, number[]] => [character, [code]]),
  ...[...EXTENSION].map(([code, character]): [string, number[]] => [character, [ESCAPE, code]]),
])
septets.delete(String.fromCharCode(ESCAPE))

/** How many septets a character takes: 1, 2 from the extension table, 0 when the alphabet has no such character. */
export function septetsOf(character: string): number {
  return septets.get(character)?.length ?? 0
}

export function isGsm7(text: string): boolean {
  for (const character of text) {
    if (!septets.has(character)) {
      return false
    }
  }
  return true
}

/** @throws {RangeError} for a character that is not in the alphabet: see {@link isGsm7} */
export function encodeGsm7(text: string): Buffer {
  const bytes: number[] = []
  for (const character of text) {
    const codes = septets.get(character)
    if (!codes) {
      throw new RangeError(`${JSON.stringify(character)} is not in the GSM 7-bit alphabet`)
    }
    bytes.push(...codes)
  }
  return Buffer.from(bytes)
}

/** National Language Identifiers of the tables that a text is written with; 0 for the default ones. */
export interface ShiftTables {
  readonly locking: number
  readonly single: number
}

/**
 * Never fails, as texts come from strangers. An escape before a code that the extension table does not have is ignored,
 * and one without a code is a space, as TS 23.038 says; a byte above 0x7F is no septet and becomes U+FFFD. Tables that
 * are not known are the default ones.
 */
export function decodeGsm7(bytes: Uint8Array, { locking, single }: Partial<ShiftTables> = {}): string {
  const alphabet = lockingTables.get(locking ?? 0) ?? ALPHABET
  const extension = singleTables.get(single ?? 0) ?? EXTENSION
  let text = ''
  let escaped = false
  for (const byte of bytes) {
    if (byte === ESCAPE && !escaped) {
      escaped = true
      continue
    }
    const extended = escaped && byte !== ESCAPE ? extension.get(byte) : undefined
    text += extended ?? (byte === ESCAPE ? ' ' : (alphabet[byte] ?? '\ufffd'))
    escaped = false
  }
  return escaped ? `${text} ` : text
}

/**
 * Septets of octets that hold them packed (TS 23.038, 6.1.2.1).
 * @param fill bits before the first: those after a header
 * @param endsInText seven bits of zero at the end are `@`, and no filling
 */
export function unpackSeptets(octets: Uint8Array, fill = 0, endsInText = false): Buffer {
  const count = Math.floor((octets.length * 8 - fill) / 7)
  const septets = Buffer.alloc(Math.max(0, count))
  for (let index = 0; index < count; index++) {
    const bit = fill + index * 7
    const pair = (octets[bit >> 3] ?? 0) | ((octets[(bit >> 3) + 1] ?? 0) << 8)
    septets[index] = (pair >> (bit & 7)) & 0x7f
  }
  // Seven bits that are left over at the end are a carriage return, or zero where a sender does not fill them.
  const isFilled = (octets.length * 8 - fill) % 7 === 0 && count > 0
  const last = septets[count - 1]
  return isFilled && (last === 0x0d || (last === 0 && !endsInText)) ? septets.subarray(0, count - 1) : septets
}

/** The other way round. Where a whole septet is left over at the end it is a carriage return. */
export function packSeptets(septets: Uint8Array, fill = 0): Buffer {
  const octets = Buffer.alloc(Math.ceil((fill + septets.length * 7) / 8))
  const isWhole = (fill + septets.length * 7) % 8 === 1
  const all = isWhole ? [...septets, 0x0d] : septets
  for (const [index, septet] of all.entries()) {
    const bit = fill + index * 7
    const shifted = septet << (bit & 7)
    const at = bit >> 3
    octets[at] = (octets[at] ?? 0) | (shifted & 0xff)
    if (at + 1 < octets.length) octets[at + 1] = (octets[at + 1] ?? 0) | (shifted >> 8)
  }
  return octets
}
