/**
 * Message ids as SMSCs write them. Some answer a submission in hexadecimal and write receipts in decimal, or the other
 * way round, in small letters or capitals, or fill up with zeros.
 */

/** Longer ones are names, not numbers: 20 decimal digits are 64 bits. */
const MAX_DIGITS = 20

/** The stored form of an id: without `0x` and leading zeros, which receipts may add or leave out. */
export function storedId(id: string): string {
  const number = id.replace(/^0x(?=[0-9a-f]+$)/i, '')
  return /^[0-9a-f]+$/i.test(number) ? number.replace(/^0+(?=.)/, '') : id
}

/** The stored forms that the id of a receipt may have, likely ones first. */
export function storedIds(id: string): readonly string[] {
  const kept = storedId(id)
  const ways = [kept]
  if (/^[0-9a-f]+$/i.test(kept) && kept.length <= MAX_DIGITS) {
    if (/^\d+$/.test(kept)) ways.push(BigInt(kept).toString(16))
    ways.push(BigInt(`0x${kept}`).toString())
  }
  return [...new Set(ways.flatMap((way) => [way, way.toLowerCase(), way.toUpperCase()]))]
}
