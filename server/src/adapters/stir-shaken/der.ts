/** Fields of a certificate that Node.js does not expose, read from its DER (X.690). */

/** Tags in certificates. */
export const tags = { integer: 0x02, oid: 0x06, extensions: 0xa3 }

export interface Element {
  readonly tag: number
  readonly body: Buffer
}

/** What an extension of a certificate holds; undefined where there is none. @throws RangeError where it is cut off */
export function extension(certificate: Buffer, oid: Buffer): Buffer | undefined {
  const [signed] = children(first(certificate).body)
  const all = signed && children(signed.body).find(({ tag }) => tag === tags.extensions)
  if (!all) return undefined
  for (const { body } of children(first(all.body).body)) {
    const [name, ...rest] = children(body)
    if (name?.tag === tags.oid && name.body.equals(oid)) return rest.at(-1)?.body
  }
  return undefined
}

/** @throws RangeError where there is none */
export function first(der: Buffer): Element {
  const [element] = children(der)
  if (!element) throw new RangeError('there is nothing')
  return element
}

/** Elements that stand one after the other. @throws RangeError where they are cut off */
export function children(der: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at < der.length;) {
    const tag = der.readUInt8(at)
    const short = der.readUInt8(at + 1)
    // Above 127 it is the number of bytes of the length.
    const bytes = short > 0x80 ? short - 0x80 : 0
    const length = bytes > 0 ? der.readUIntBE(at + 2, bytes) : short
    const begin = at + 2 + bytes
    if (begin + length > der.length) throw new RangeError('it is cut off')
    found.push({ tag, body: der.subarray(begin, begin + length) })
    at = begin + length
  }
  return found
}
