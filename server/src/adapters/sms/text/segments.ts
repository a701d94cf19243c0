import type { TextEncoding } from '../link.js'
import { isGsm7, septetsOf } from './gsm7.js'

/** Capacity of a message: septets (GSM-7) or UTF-16 units (UCS-2). */
export interface SegmentSizes {
  /** In a message of one segment. */
  readonly whole: number
  /** In each part of a long text, after the concatenation header of 6 octets (TS 23.040, 9.2.3.24.1). */
  readonly part: number
}

const SEGMENT_SIZES: Readonly<Record<TextEncoding, SegmentSizes>> = {
  gsm7: { whole: 160, part: 153 },
  ucs2: { whole: 70, part: 67 },
}

/** GSM-7 when its alphabet has every character, and UCS-2 (that is UTF-16, surrogate pairs included) otherwise. */
export function encodingOf(text: string): TextEncoding {
  return isGsm7(text) ? 'gsm7' : 'ucs2'
}

/**
 * The texts of the segments of a message; an empty one is a segment too. A character that takes two septets or two
 * units is never split between segments; a letter and the combining marks after it may be.
 */
export function splitText(body: string, encoding: TextEncoding, sizes = SEGMENT_SIZES[encoding]): string[] {
  const widthOf = encoding === 'gsm7' ? septetsOf : (character: string) => character.length
  const parts: string[] = []
  let part = ''
  let partWidth = 0
  let bodyWidth = 0
  for (const character of body) {
    const width = widthOf(character)
    bodyWidth += width
    if (partWidth + width > sizes.part) {
      parts.push(part)
      part = ''
      partWidth = 0
    }
    part += character
    partWidth += width
  }
  return bodyWidth <= sizes.whole ? [body] : [...parts, part]
}

/** The number of segments of a text, for sending and pricing. */
export function segmentCount(body: string): number {
  return splitText(body, encodingOf(body)).length
}
