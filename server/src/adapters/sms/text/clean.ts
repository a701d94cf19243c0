/** Removes characters that mean nothing to readers, and that databases, JSON and XML cannot store. */

/** Control characters other than tab and line ends, byte order marks, and code points that are no characters. */
const noText = /(?![\t\n\r])\p{Cc}|\ufeff|\p{Noncharacter_Code_Point}/gu

/**
 * A text as it may be kept: page breaks are line ends, half of a surrogate pair is U+FFFD, and control characters,
 * NUL among them, are left out.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\f/g, '\n')
    .replace(noText, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}
