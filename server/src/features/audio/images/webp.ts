import type { Extent } from './extent.js'

const riffHead = 12
const chunkHead = 8

/** WebP (RFC 9649): a RIFF container of chunks. @throws RangeError when it is cut off */
export function readWebp(bytes: Buffer): Extent | null {
  const tag = (at: number) => bytes.toString('latin1', at, at + 4)
  if (tag(0) !== 'RIFF' || tag(8) !== 'WEBP') return null
  const length = chunkHead + bytes.readUInt32LE(4)
  if (length > bytes.length) return null
  const size = sizeOf(tag(riffHead), bytes.subarray(riffHead + chunkHead))
  if (!size) return null
  let hasPixels = false
  let at = riffHead
  while (at < length) {
    hasPixels ||= ['VP8 ', 'VP8L', 'ANMF'].includes(tag(at))
    at += chunkHead + bytes.readUInt32LE(at + 4)
    if (at > length) return null
    // Chunks are padded to an even length, which some writers forget behind the last one.
    at += at % 2
  }
  return hasPixels ? { ...size, length } : null
}

/** Size by the first chunk: lossy, lossless, or extended with a canvas. */
function sizeOf(chunk: string, data: Buffer): Pick<Extent, 'width' | 'height'> | null {
  switch (chunk) {
    case 'VP8 ':
      if (data.readUIntBE(3, 3) !== 0x9d012a) return null
      return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
    case 'VP8L': {
      if (data.readUInt8(0) !== 0x2f) return null
      const bits = data.readUInt32LE(1)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    default:
      return null
  }
}
