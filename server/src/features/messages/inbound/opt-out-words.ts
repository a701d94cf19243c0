/** Reads what a client sends as one of the words by which they opt out of messages, in again, or ask for help. */
import {
  type LanguageWords,
  type OptOutWord,
  endedThings,
  endedThingsOfClear,
  instructionVerbs,
  languageWords,
  objectForms,
  politeForms,
  wordsWithObject,
} from './opt-out-languages.js'

export type { OptOutWord } from './opt-out-languages.js'

export const optOutMeanings = ['stop', 'start', 'help'] as const satisfies readonly OptOutWord[]

/** Input of the word lists. */
export interface OptOutContext {
  /** ISO 3166-1 codes of the countries of our number and the client's. */
  readonly countries: readonly string[]
  /** The workspace's own words, beside all others. */
  readonly own: Readonly<Record<OptOutWord, readonly string[]>>
}

/** UTF-16 units as received; a longer text is never an opt-out. */
export const longestOptOut = 80
/** Words of a text, and of one entry of the lists. */
const mostTokens = 10
const mostOfOne = 5

/** Diacritics of Latin, Greek and Cyrillic letters, and the points of Hebrew and Arabic: people leave them out. */
const leftOut = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670\ufe00-\ufe0f]/g

/**
 * The words of a text in one form: without case, punctuation, symbols, accents, control and zero-width characters, and
 * full-width letters as plain ones.
 */
export function tokensOf(text: string): string[] {
  const plain = text.replace(/\p{Cf}|(?![\t-\r])\p{Cc}/gu, '').normalize('NFKD')
  const bare = plain.replace(leftOut, '').toUpperCase().normalize('NFKD').replace(leftOut, '')
  // A deleted apostrophe keeps "don't" one word.
  return bare.replace(/(?<=\p{L})['’ʼ](?=\p{L})/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

const joined = (text: string) => tokensOf(text).join('')

interface Known {
  readonly meaning: OptOutWord
  /** Null: in all. */
  readonly countries: ReadonlySet<string> | null
  readonly isClear: boolean
}

const known = new Map<string, Known[]>()
for (const [isClear, rows] of [
  [true, languageWords.clear],
  [false, languageWords.alone],
] as const) {
  for (const row of rows) addWords(row, isClear)
}

function addWords([meaning, words, countries]: LanguageWords, isClear: boolean): void {
  const entry = {
    meaning,
    countries: countries === undefined ? null : new Set(countries.split(' ')),
    isClear,
  }
  for (const word of words.split(' ')) {
    const key = joined(word)
    known.set(key, [...(known.get(key) ?? []), entry])
  }
}

const phrases = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.map((text) => tokensOf(text).join(' ')))
const polite = phrases(politeForms)
const verbs = phrases(instructionVerbs)
const ended = phrases(endedThings)
const endedOfClear = phrases(endedThingsOfClear)
const objects = phrases(objectForms)

/** Words that answer a question if anything is next to them: `yes please`. */
const notInSentences: ReadonlySet<string> = new Set(['YES'])

/** The sign that means the word itself. */
const stopSigns = /^\u{1f6d1}+$/u

/**
 * The word that a text is, however it is written: `Stop.`, `«STOP»`, `opt-out`, `stop stop`, `Stop, please`, `ARRÊT`,
 * `Stop texting me`, `STOP/END`. Null for all other texts, those that hold one of the words among others too.
 * @param words of {@link optOutWords}
 */
export function optOutWordOf(body: string, words: OptOutWords): OptOutWord | null {
  if (body.length > longestOptOut) return null
  if (stopSigns.test(body.replace(/[\p{P}\p{Z}\p{Cf}\p{Cc}\ufe0f]/gu, ''))) return 'stop'
  const tokens = tokensOf(body)
  if (tokens.length === 0) return null
  return words(tokens.join(''))?.meaning ?? (tokens.length <= mostTokens ? sentence(tokens, words) : null)
}

/** Finds a word in the form of {@link tokensOf}. */
export type OptOutWords = (word: string) => Pick<Known, 'meaning' | 'isClear'> | undefined

/** The words that hold in a context: a workspace's own before those of all. */
export function optOutWords({ countries, own }: OptOutContext): OptOutWords {
  const owned = new Map(
    optOutMeanings.flatMap((meaning) =>
      own[meaning].map((word) => [joined(word), { meaning, isClear: false }] as const),
    ),
  )
  return (word) =>
    owned.get(word) ??
    known
      .get(word)
      ?.find((one) => one.countries === null || countries.some((country) => one.countries?.has(country)))
}

/** A text of words of one meaning, with no other words that change it. */
function sentence(tokens: readonly string[], words: OptOutWords): OptOutWord | null {
  let meaning: OptOutWord | null = null
  let last: { word: string; isClear: boolean } | null = null
  let position = 0
  while (position < tokens.length) {
    const keyword = longestRun(tokens, position, (run) => words(run.join('')) !== undefined)
    const found = keyword && words(keyword.join(''))
    const politeForm = longestRun(tokens, position, (run) => polite.has(run.join(' ')))
    if (found && keyword && keyword.length >= (politeForm?.length ?? 0)) {
      if (meaning !== null && meaning !== found.meaning) return null
      if (last === null && position > 0 && notInSentences.has(keyword.join(''))) return null
      meaning = found.meaning
      last = { word: keyword.join(''), isClear: found.isClear }
      position += keyword.length
      continue
    }
    if (last && notInSentences.has(last.word)) return null
    const beside = politeForm ?? besideOf(tokens, position, meaning, last)
    if (!beside) return null
    position += beside.length
  }
  return meaning
}

/** Words that change nothing at a position of a sentence, except polite forms. */
function besideOf(
  tokens: readonly string[],
  position: number,
  meaning: OptOutWord | null,
  last: { word: string; isClear: boolean } | null,
): string[] | undefined {
  if (!last) return longestRun(tokens, position, (run) => verbs.has(run.join(' ')))
  const [here = '', next] = tokens.slice(position)
  if (here === 'TO' && next !== undefined) {
    return /^\d{3,15}$/.test(next) ? [here, next] : [here]
  }
  if (meaning !== 'stop') return undefined
  return longestRun(tokens, position, (run) => {
    const text = run.join(' ')
    if (wordsWithObject.has(last.word) && objects.has(text)) return true
    return ended.has(text) || (last.isClear && endedOfClear.has(text))
  })
}

function longestRun(
  tokens: readonly string[],
  position: number,
  test: (run: string[]) => boolean,
): string[] | undefined {
  for (let length = Math.min(mostOfOne, tokens.length - position); length > 0; length--) {
    const run = tokens.slice(position, position + length)
    if (test(run)) return run
  }
  return undefined
}
