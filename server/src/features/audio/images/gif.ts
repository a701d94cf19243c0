import type { Extent } from './extent.js'

const extension = 0x21
const image = 0x2c
const trailer = 0x3b

/** GIF87a and GIF89a: blocks up to the trailer. @throws RangeError when it is cut off */
export function readGif(bytes: Buffer): Extent | null {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  let at = 13 + colourTable(bytes.readUInt8(10))
  let hasPixels = false
  for (;;) {
    const block = bytes.readUInt8(at)
    if (block === trailer) return hasPixels ? { ...size, length: at + 1 } : null
    if (block === image) {
      hasPixels = true
      // Place and size, flags, a colour table of its own, the LZW code size.
      at = subBlocksEnd(bytes, at + 11 + colourTable(bytes.readUInt8(at + 9)))
    } else if (block === extension) {
      at = subBlocksEnd(bytes, at + 2)
    } else return null
  }
}

/** Bytes of the colour table by its flags. */
function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Data comes in blocks behind their lengths; one of length 0 is the last. */
function subBlocksEnd(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length
  return at + 1
}
