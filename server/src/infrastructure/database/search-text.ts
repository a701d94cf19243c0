/**
 * What a search looks at, kept beside each row of large tables in a column `search_text` that an index has: with capitals,
 * accents and the like taken away, so that bytes are compared. The collation that does the same with the texts themselves
 * takes ten times as long.
 */
import type { EntityTarget } from 'typeorm'
import { ignoredLetters, sameLetters } from './search-letters.js'
import { matching } from './search.js'

/** How rows of a table are searched: a static property `searchText` of its entity. */
export interface SearchText<E> {
  /** SQL of each part of the text, of a row `whole`: for rows without the text, as when it is too long for the index. */
  readonly columns: readonly string[]
  /** Properties that the text is made of. */
  readonly made: readonly (keyof E & string)[]
  readonly of: (row: E) => Buffer | null
}

export function searchTextOf<E>(entity: EntityTarget<E>): SearchText<E> | undefined {
  return (entity as { searchText?: SearchText<E> }).searchText
}

/** No search has it, so that none finds the end of one part and the beginning of the next. */
const betweenParts = '\u0001'

/** @param bytes of the column @returns null when they do not hold it */
export function textOfParts(parts: readonly (string | null)[], bytes: number): Buffer | null {
  if (parts.some((part) => (part?.length ?? 0) > bytes)) return null
  const text = Buffer.from(parts.map((part) => folded(part ?? '')).join(betweenParts))
  return text.length > bytes ? null : text
}

/**
 * The condition that a row's text contains what is searched for.
 * @param row alias of the table in the statement
 * @param parts how many parts of the text are searched, from the first; all by default
 */
export function inSearchText<E>(
  { columns }: SearchText<E>,
  { table, row, parts }: { table: string; row: string; parts?: number },
  text: string,
): { sql: string; values: readonly unknown[] } {
  const sought = folded(text)
  const itself = matching(columns.slice(0, parts), text)
  const searched = parts ? `SUBSTRING_INDEX(${row}.search_text, X'01', ${parts})` : `${row}.search_text`
  // No EXISTS: MariaDB may first look for all rows of the table that contain it.
  const whole = `(SELECT ${itself.sql} FROM ${table} whole WHERE whole.id = ${row}.id)`
  if (sought === '') return { sql: whole, values: itself.values }
  return {
    sql: `(INSTR(${searched}, ?) OR (${row}.search_text IS NULL AND ${whole}))`,
    values: [Buffer.from(sought), ...itself.values],
  }
}

const isPlain = /^[\t\n\r\u0020-\u007e]*$/

/** A text in the form in which texts are compared. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase()
  // What is ignored, and an l with a dot, have compatibility forms that are not.
  const heard = [...text].filter((letter) => same.get(letter) !== '').join('')
  const letters = heard
    .replace(/[\u013f\u0140]/g, 'l')
    .normalize('NFKD')
    .toLowerCase()
  let form = ''
  for (const letter of letters.normalize('NFKD')) form += same.get(letter) ?? letter
  return form
}

/** What a letter is taken for; nothing for those that are ignored. */
const same: ReadonlyMap<string, string> = new Map([
  ...ignoredLetters.flatMap((range) => lettersOf(range).map((letter) => [letter, ''] as const)),
  ...sameLetters.flatMap((group) => {
    const [form = '', ranges = ''] = group.split('=')
    const taken = String.fromCodePoint(...form.split('.').map((hex) => parseInt(hex, 16)))
    return ranges.split(',').flatMap((range) => lettersOf(range).map((letter) => [letter, taken] as const))
  }),
])

function lettersOf(range: string): string[] {
  const [first = 0, last = first] = range.split('-').map((hex) => parseInt(hex, 16))
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}
