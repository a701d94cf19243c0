import type { Extent } from './extent.js'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/** Markers without a length: TEM, and RST0 to RST7 between parts of a scan. */
const isAlone = (marker: number) => marker === 0x01 || isRestart(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/** SOF0 to SOF15 have the size; three codes of that range mean something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** JPEG (ITU-T T.81, annex B): segments from SOI to EOI. @throws RangeError when it is cut off */
export function readJpeg(bytes: Buffer): Extent | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null
  let size: Pick<Extent, 'width' | 'height'> | undefined
  let hasPixels = false
  let at = 2
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return null
    // A marker's 0xFF may be repeated before it.
    while (bytes[at] === 0xff) at += 1
    const marker = bytes.readUInt8(at)
    at += 1
    if (marker === endOfImage) return size && hasPixels ? { ...size, length: at } : null
    if (isAlone(marker)) continue
    const length = bytes.readUInt16BE(at)
    if (length < 2) return null
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 3), width: bytes.readUInt16BE(at + 5) }
    at += length
    if (marker === startOfScan) {
      hasPixels = true
      at = endOfScan(bytes, at)
    }
  }
}

/** The position of the next marker: in coded data, 0xFF is followed by 0 or by a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes.readUInt8(at + 1)
    if (next !== 0 && !isRestart(next)) return at
  }
  throw new RangeError('no marker ends the scan')
}
