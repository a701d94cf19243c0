/**
 * The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, 6.2.1 and 6.2.1.1), one septet a byte as SMPP
 * carries it. National shift tables are left out: many handsets and carriers do not know them.
 */

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

/**
 * Never fails, as texts come from strangers. An escape before a code that the extension table does not have is ignored,
 * and one without a code is a space, as TS 23.038 says; a byte above 0x7F is no septet and becomes U+FFFD.
 */
export function decodeGsm7(bytes: Uint8Array): string {
  let text = ''
  let escaped = false
  for (const byte of bytes) {
    if (byte === ESCAPE && !escaped) {
      escaped = true
      continue
    }
    const extended = escaped ? EXTENSION.get(byte) : undefined
    text += extended ?? (byte === ESCAPE ? ' ' : (ALPHABET[byte] ?? '\ufffd'))
    escaped = false
  }
  return escaped ? `${text} ` : text
}
