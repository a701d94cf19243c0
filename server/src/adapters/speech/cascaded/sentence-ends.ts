/**
 * Where sentences end, in a text of which more may come. Unicode's rules (UAX 29, by ICU) find the places. Places that
 * only look like an end are left out: abbreviations, initials, ordinals, codes that are spelled, quotes. A sentence
 * that is cut too late is heard a moment later; a cut in the middle of one sounds wrong.
 */
import { begins, hasOrdinals, leads, leadsNumber } from './abbreviations.js'

const segmenters = new Map<string, Intl.Segmenter>()

/** Languages whose rules a process stores: more than are in use. */
const maxLanguages = 64

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  if (segmenters.size >= maxLanguages) segmenters.clear()
  const made = new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, made)
  return made
}

/**
 * @param isWhole whether no more text comes; else an end is reported once the text behind it confirms it
 * @param language ISO 639
 * @returns places behind the ends, with the space that follows; not the end of the text itself
 */
export function sentenceEnds(text: string, language: string, isWhole: boolean): number[] {
  const ends: number[] = []
  let from = 0
  for (const { index, segment } of segmenterOf(language).segment(text)) {
    const end = index + segment.length
    if (end >= text.length) break
    const [before, after] = [text.slice(from, end), text.slice(end)]
    const isLine = /\n\s*$/.test(segment)
    const verdict = isLine ? 'ends' : verdictOf(before, after, language, isWhole)
    // The text behind it is looked at later.
    if (verdict === 'unknown') break
    if (verdict === 'ends') {
      ends.push(end)
      from = end
    }
  }
  return ends
}

type Verdict = 'ends' | 'goesOn' | 'unknown'

function verdictOf(before: string, after: string, language: string, isWhole: boolean): Verdict {
  const next = /[\p{L}\p{M}\p{N}]/u.exec(after)?.[0]
  if (next === undefined) return isWhole ? 'ends' : 'unknown'
  if (/\p{Ll}/u.test(next)) return 'goesOn'
  const word = lastWord(before)
  if (word === null) return 'ends'
  const isNumberNext = /\p{N}/u.test(next)
  if (/^\p{N}+$/u.test(word)) return ofNumber(before, after, language, isNumberNext, isWhole)
  // Initials, and letters that are spelled. “I” ends a sentence as well as it abbreviates anything.
  if (/^\p{L}\p{M}*$/u.test(word)) return word === 'i' && language === 'en' ? 'ends' : 'goesOn'
  if (/^(\p{L}\.)+\p{L}$/u.test(word) && !/^[ap]\.m$/.test(word)) return 'goesOn'
  if (leads(word, language)) return 'goesOn'
  if (isNumberNext && leadsNumber(word, language)) return 'goesOn'
  return 'ends'
}

/** Behind a number: `3. Oktober`, `A. B. 4. 7.`, and `1. First` of a list. */
function ofNumber(
  before: string,
  after: string,
  language: string,
  isNumberNext: boolean,
  isWhole: boolean,
): Verdict {
  const isAlone = /^\s*\p{N}+\.\s*$/u.test(before)
  const isSpelled = /(^|\s)[\p{L}\p{N}]\.\s+\p{N}\.\s*$/u.test(before)
  if (isAlone || (isNumberNext && (isSpelled || /(^|\s)\p{N}\.\s*$/u.test(before)))) return 'goesOn'
  // “Im Jahr 2026. Unsere …”: ordinals of more than two digits are rare.
  if (!hasOrdinals(language) || /\p{N}{3}\.\s*$/u.test(before)) return 'ends'
  const [, following, space] = /^[^\p{L}\p{N}]*([\p{L}\p{M}\p{N}]+)([^\p{L}\p{M}\p{N}])?/u.exec(after) ?? []
  if (following === undefined || (space === undefined && !isWhole)) return 'unknown'
  return begins(following.toLowerCase(), language) ? 'ends' : 'goesOn'
}

/** The word before a single full stop, in lower case; null where the mark is another one. */
function lastWord(before: string): string | null {
  const text = before.trimEnd()
  if (!text.endsWith('.') || text.endsWith('..')) return null
  const word = /[^\s("'“„«»[\]/]+$/u.exec(text.slice(0, -1))?.[0]
  return word === undefined ? null : word.toLowerCase()
}
