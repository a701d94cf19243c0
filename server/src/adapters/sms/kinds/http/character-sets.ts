/** Character sets that carriers write in, and forms in any of them. */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'

/**
 * Decodes octets. UTF-8 without a charset, or with one that is not a charset (Kannel's `GSM`). Invalid UTF-8 is read as
 * Windows-1252, which contains ISO 8859-1.
 */
export function decoded(octets: Buffer, charset: string | null): string {
  const name = nameOf(charset ?? '')
  if (name !== null && name !== 'utf-8') return iconv.decode(octets, name, { defaultEncoding: 'utf16be' })
  return iconv.decode(octets, isUtf8(octets) ? 'utf-8' : 'windows-1252')
}

/** The parameter `charset` of a media type (RFC 9110, 8.3.2); null without. */
export function charsetOf(contentType: string): string | null {
  return /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? null
}

/** Whether the charset can be decoded. */
export function isKnownCharset(name: string): boolean {
  return nameOf(name) !== null
}

/** Whether each character has two octets or more. Only the text of a form can be in it: the numbers are ASCII digits. */
export function isWide(charset: string): boolean {
  return /^utf-?(16|32)/.test(nameOf(charset) ?? '')
}

/** The decoder's name of a charset. */
function nameOf(charset: string): string | null {
  const name = charset.toLowerCase()
  // Kannel and others mean UTF-16 in big-endian order by UCS-2.
  if (/^ucs-?2(be)?$/.test(name)) return 'utf-16be'
  if (/^(utf-?8|us-ascii|ascii)$/.test(name)) return 'utf-8'
  if (/^(iso-?8859-?1|latin-?1)$/.test(name)) return 'windows-1252'
  // The decoder also has encodings of bytes, such as base64.
  if (/^(binary|hex|base64|cesu8|ucs2)$/.test(name)) return null
  return iconv.encodingExists(name) ? name : null
}

/** A field of a form as octets: their character set may be in another field. */
export interface FormField {
  readonly name: string
  readonly octets: Buffer
}

/**
 * The fields of `application/x-www-form-urlencoded` (URL standard, 5.1), which a query is, too.
 * @returns null of more than `most`
 */
export function fieldsOf(form: Buffer, most: number): FormField[] | null {
  const pairs = form.toString('latin1').split('&', most + 1)
  if (pairs.length > most) return null
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return { name: octetsOf(name).toString(), octets: octetsOf(value) }
    })
}

function octetsOf(encoded: string): Buffer {
  const plain = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}
