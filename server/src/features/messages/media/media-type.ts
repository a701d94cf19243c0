/**
 * The files that may go with a message (contract, Messages): pictures and audio. Their type is detected by their content.
 */
import { readImage } from '../../audio/images/image.js'
import { type AudioType, audioTypeOf } from './audio-type.js'

const imageTypes = ['image/jpeg', 'image/png', 'image/gif'] as const
export type MediaType = AudioType | (typeof imageTypes)[number]

/** Rule for files, to follow "must be". */
export const mediaRule =
  'a whole JPEG, PNG or GIF picture of at most 10000 by 10000 pixels, or audio (MP3, WAV, Ogg, AMR, AAC, M4A)'

/** Larger pictures would take a browser's memory, however small their files are. */
const maxPixels = 10_000

/** Endings of file names. */
const endings: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/amr': 'amr',
  'audio/amr-wb': 'awb',
  'audio/aac': 'aac',
  'audio/mp4': 'm4a',
}

/** @param type as a row has it */
export function endingOf(type: string): string {
  return endings[type as MediaType]
}

/** A file that may go with a message. */
export interface ReadMedia {
  readonly type: MediaType
  /** For a picture, the picture alone: data behind it is left out. */
  readonly content: Buffer
}

/** Reads a file; null if its type may not go with a message. */
export function readMedia(bytes: Buffer): ReadMedia | null {
  const image = readImage(bytes)
  if (image) {
    const type = imageTypes.find((one) => one === image.type)
    const isSmall = image.width <= maxPixels && image.height <= maxPixels
    return type && isSmall ? { type, content: bytes.subarray(0, image.length) } : null
  }
  const type = audioTypeOf(bytes)
  return type && { type, content: bytes }
}
