import type { Extent } from './extent.js'
import { crc32 } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Length and type before a chunk's data, checksum behind it. */
const chunkHead = 8
const chunkTail = 4

/** Writers use chunks of kilobytes; a file of many tiny ones would only waste time. */
const maxChunks = 20_000

/** PNG (ISO/IEC 15948): chunks from IHDR to IEND, each with a checksum. @throws RangeError when it is cut off */
export function readPng(bytes: Buffer): Extent | null {
  if (!bytes.subarray(0, signature.length).equals(signature)) return null
  let at = signature.length
  if (bytes.toString('latin1', at + 4, at + chunkHead) !== 'IHDR') return null
  const size = { width: bytes.readUInt32BE(at + chunkHead), height: bytes.readUInt32BE(at + chunkHead + 4) }
  let hasPixels = false
  for (let chunk = 0; chunk < maxChunks; chunk++) {
    const end = at + chunkHead + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + chunkHead)
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return null
    hasPixels ||= type === 'IDAT'
    at = end + chunkTail
    if (type === 'IEND') return hasPixels ? { ...size, length: at } : null
  }
  return null
}
