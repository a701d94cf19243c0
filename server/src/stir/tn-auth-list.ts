/** For which callers a certificate may sign: its TNAuthList (RFC 8226, section 9), read from its DER. */

/** Tags of DER (X.690) that stand in it. */
const tags = { extensions: 0xa3, oid: 0x06 }

/** 1.3.6.1.5.5.7.1.26, id-pe-TNAuthList. */
const tnAuthList = Buffer.from('2b0601050507011a', 'hex')

/** An entry is a code of a carrier, whose numbers are not listed; some numbers in a row; or one number. */
const entries = { carrier: 0xa0, range: 0xa1, one: 0xa2 }

interface Element {
  readonly tag: number
  readonly body: Buffer
}

/**
 * Whether a certificate may sign for a caller. One without a list that can be read may for nobody.
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

/** What an extension holds; undefined where there is none. */
function extension(certificate: Buffer, oid: Buffer): Buffer | undefined {
  const [signed] = children(first(certificate).body)
  const all = signed && children(signed.body).find(({ tag }) => tag === tags.extensions)
  if (!all) return undefined
  for (const { body } of children(first(all.body).body)) {
    const [name, ...rest] = children(body)
    if (name?.tag === tags.oid && name.body.equals(oid)) return rest.at(-1)?.body
  }
  return undefined
}

function first(der: Buffer): Element {
  const [element] = children(der)
  if (!element) throw new RangeError('there is nothing')
  return element
}

function children(der: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at < der.length;) {
    const tag = der.readUInt8(at)
    const short = der.readUInt8(at + 1)
    // Above 127 it tells how many bytes the length has.
    const bytes = short > 0x80 ? short - 0x80 : 0
    const length = bytes > 0 ? der.readUIntBE(at + 2, bytes) : short
    const begin = at + 2 + bytes
    if (begin + length > der.length) throw new RangeError('it is cut off')
    found.push({ tag, body: der.subarray(begin, begin + length) })
    at = begin + length
  }
  return found
}
