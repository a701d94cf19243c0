/** For which callers a certificate may sign: its TNAuthList (RFC 8226, section 9), read from its DER. */
import { type Element, children, extension, first } from './der.js'

/** 1.3.6.1.5.5.7.1.26, id-pe-TNAuthList. */
const tnAuthList = Buffer.from('2b0601050507011a', 'hex')

/** An entry is a code of a carrier, whose numbers are not listed; some numbers in a row; or one number. */
const entries = { carrier: 0xa0, range: 0xa1, one: 0xa2 }

/**
 * Whether a certificate may sign for a caller. One without a readable list may sign for none.
 * @param certificate in DER @param number digits of E.164
 */
export function maySignFor(certificate: Buffer, number: string): boolean {
  try {
    const list = extension(certificate, tnAuthList)
    return list !== undefined && children(first(list).body).some((entry) => covers(entry, number))
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function covers({ tag, body }: Element, number: string): boolean {
  if (tag === entries.carrier) return true
  if (tag === entries.one) return first(body).body.toString('latin1') === number
  return tag === entries.range && isWithin(number, first(body).body)
}

/** `{ start IA5String, count INTEGER }`: numbers of one length, from the first one on. */
function isWithin(number: string, range: Buffer): boolean {
  const [start, count] = children(range)
  const from = start?.body.toString('latin1') ?? ''
  if (!/^\d{1,15}$/.test(from) || from.length !== number.length || !count?.body.length) return false
  const offset = BigInt(number) - BigInt(from)
  return offset >= 0n && offset < BigInt(`0x${count.body.toString('hex')}`)
}
