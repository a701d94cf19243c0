/**
 * Removes metadata from a picture: place and device (EXIF), XMP, comments, and chunks that no viewer needs. The pixels
 * stay byte for byte. The picture must be whole, as checked by `readImage`.
 */
import type { ImageType } from './image.js'

const cleaners: Readonly<Record<ImageType, (bytes: Buffer) => Buffer>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
  'image/gif': cleanGif,
}

export function withoutMetadata(bytes: Buffer, type: ImageType): Buffer {
  return cleaners[type](bytes)
}

const orientationTag = 0x0112

/**
 * JPEG (ITU-T T.81, annex B): of the application segments JFIF, colour profiles and Adobe’s colour transform stay.
 * Phones store pictures in the orientation of the sensor, so the orientation of EXIF is kept, and nothing else of it.
 */
function cleanJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let orientation = 1
  let at = 2
  while (at < bytes.length) {
    const from = at
    while (bytes[at] === 0xff) at += 1
    const marker = bytes.readUInt8(at)
    at += 1
    const dataAt = at + 2
    const hasLength = marker !== 0xd9 && marker !== 0x01 && !(marker >= 0xd0 && marker <= 0xd7)
    if (hasLength) at += bytes.readUInt16BE(at)
    const data = bytes.subarray(Math.min(dataAt, at), at)
    if (marker === 0xda) at = endOfScan(bytes, at)
    if (marker === 0xe1) orientation = orientationOf(data) ?? orientation
    if (!isMetadata(marker, data)) kept.push(bytes.subarray(from, at))
    if (marker === 0xd9) break
  }
  if (orientation !== 1) kept.splice(1, 0, orientationSegment(orientation))
  return Buffer.concat(kept)
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes.readUInt8(at + 1)
    if (bytes[at] === 0xff && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

/** APP0 to APP15 and COM. */
function isMetadata(marker: number, data: Buffer): boolean {
  if (marker === 0xfe) return true
  if (marker < 0xe0 || marker > 0xef) return false
  const name = data.toString('latin1', 0, 12)
  const isNeeded =
    (marker === 0xe0 && name.startsWith('JFIF\0')) ||
    (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) ||
    (marker === 0xee && name.startsWith('Adobe'))
  return !isNeeded
}

/** The tag Orientation of the first directory (EXIF 2.32, 4.6.4); undefined if there is none. */
function orientationOf(data: Buffer): number | undefined {
  if (data.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = data.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  try {
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    const count = short(directory)
    for (let index = 0; index < count; index++) {
      const entry = directory + 2 + 12 * index
      if (short(entry) !== orientationTag) continue
      const value = short(entry + 8)
      return value >= 1 && value <= 8 ? value : undefined
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

/** APP1 with an EXIF directory of one entry. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  const head = Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1')
  head.writeUInt16BE(2 + 6 + tiff.length, 2)
  return Buffer.concat([head, tiff])
}

/** Chunks that decide how the pixels look, besides the critical ones (ISO/IEC 15948, 11.3; APNG). */
const pngKept = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs hIST sPLT acTL fcTL fdAT'.split(' '),
)

function cleanPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 8)]
  for (let at = 8; at < bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (pngKept.has(bytes.toString('latin1', at + 4, at + 8))) kept.push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

const webpKept = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

/** Flags of VP8X for EXIF and XMP chunks (RFC 9649, 2.7). */
const webpMetadataFlags = 0x0c

function cleanWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = [Buffer.from(bytes.subarray(0, 12))]
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = 8 + bytes.readUInt32LE(at + 4)
    const end = at + length + (length % 2)
    if (webpKept.has(type)) {
      const chunk = Buffer.from(bytes.subarray(at, end))
      if (type === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~webpMetadataFlags, 8)
      kept.push(chunk)
    }
    at = end
  }
  const cleaned = Buffer.concat(kept)
  cleaned.writeUInt32LE(cleaned.length - 8, 4)
  return cleaned
}

/** Application extensions with the repeat count of an animation. */
const gifLoops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** GIF89a: comments, plain text and the extensions of other applications go. */
function cleanGif(bytes: Buffer): Buffer {
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + table(bytes.readUInt8(10))
  const kept: Buffer[] = [bytes.subarray(0, at)]
  for (;;) {
    const from = at
    const block = bytes.readUInt8(at)
    if (block === 0x3b) return Buffer.concat([...kept, bytes.subarray(at, at + 1)])
    const label = bytes.readUInt8(at + 1)
    const application = bytes.toString('latin1', at + 3, at + 14)
    at = block === 0x2c ? at + 11 + table(bytes.readUInt8(at + 9)) : at + 2
    for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length
    at += 1
    const isNeeded = block === 0x2c || label === 0xf9 || (label === 0xff && gifLoops.has(application))
    if (isNeeded) kept.push(bytes.subarray(from, at))
  }
}
