/** Texts in the form in which they take the fewest segments, and look the same. */
import { isGsm7 } from './gsm7.js'

/** Marks that the GSM-7 alphabet lacks, and those that people take for the same; invisible ones go. */
const lookAlikes: ReadonlyMap<string, string> = new Map([
  ...pairs('‘’‚‛′ʼ`´', "'"),
  ...pairs('“”„‟″«»', '"'),
  ...pairs('‐‑‒–—―−', '-'),
  ...pairs(
    '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t',
    ' ',
  ),
  ...pairs('\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f', ''),
  ...pairs('•·', '*'),
  ...pairs('\u2028\u2029', '\n'),
  ...([
    ['…', '...'],
    ['‹', '<'],
    ['›', '>'],
    ['⁄', '/'],
    ['\u000b', '\n'],
  ] as const),
])

function pairs(from: string, to: string): [string, string][] {
  return [...from].map((character) => [character, to])
}

/** A text with look-alikes in place of what GSM-7 lacks; as it is where it would be UCS-2 all the same. */
export function withLookAlikes(text: string): string {
  if (isGsm7(text)) return text
  let plain = ''
  for (const character of text) plain += lookAlikes.get(character) ?? character
  return isGsm7(plain) ? plain : text
}
