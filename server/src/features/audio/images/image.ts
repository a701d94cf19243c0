/**
 * Detects the image type of a file by its content, and not by its name or label. The structure is checked from the
 * first byte to the last, but the pixels are not decoded: a damaged picture may still look wrong, and no picture can
 * attack a decoder of ours.
 */
import type { Extent } from './extent.js'
import { readGif } from './gif.js'
import { readJpeg } from './jpeg.js'
import { readPng } from './png.js'
import { readWebp } from './webp.js'

const readers = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
  'image/gif': readGif,
} as const

export type ImageType = keyof typeof readers

export const imageTypes = Object.keys(readers) as ImageType[]

/** The picture at the start of the bytes, or null if there is none, or only a part of one. */
export function readImage(bytes: Buffer): (Extent & { type: ImageType }) | null {
  for (const type of imageTypes) {
    const extent = within(bytes, readers[type])
    if (extent && extent.width > 0 && extent.height > 0) return { type, ...extent }
  }
  return null
}

function within(bytes: Buffer, read: (bytes: Buffer) => Extent | null): Extent | null {
  try {
    return read(bytes)
  } catch (error) {
    // The file was cut off: its bytes end before the picture does.
    if (error instanceof RangeError) return null
    throw error
  }
}
