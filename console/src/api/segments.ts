/** Number of segments of a text (docs/messages/sms-and-mms.md, Segments and price). */

const gsm7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('^{}\\[~]|€\f')

export interface TextSize {
  /** As the API calls them. */
  encoding: 'gsm7' | 'ucs2'
  segments: number
}

/** As people know them. */
export const encodingNames = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const

export function sizeOf(text: string): TextSize {
  const characters = [...text]
  if (characters.every((one) => gsm7.has(one) || extended.has(one))) {
    const sizes = characters.map((one) => (extended.has(one) ? 2 : 1))
    return { encoding: 'gsm7', segments: partsOf(sizes, 160, 153) }
  }
  const sizes = characters.map((one) => one.length)
  return { encoding: 'ucs2', segments: partsOf(sizes, 70, 67) }
}

/** A character is never split between two segments. */
function partsOf(sizes: readonly number[], alone: number, each: number): number {
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return 1
  let [parts, used] = [1, 0]
  for (const size of sizes) {
    if (used + size > each) [parts, used] = [parts + 1, 0]
    used += size
  }
  return parts
}
