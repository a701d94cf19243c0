/**
 * Substring search in columns. The collation is named because a search may hold letters that an ASCII column cannot be
 * compared with otherwise, and because older collations treat all emoji as equal. It ignores case and accents character by
 * character: so a letter and its accent that are stored as two characters, as macOS writes them, are searched for in that
 * form too.
 */

/** A text in Unicode's composed form, unless that is longer, as of a few letters of India: a column may be full. */
export function composed(text: string): string {
  const form = text.normalize('NFC')
  return form.length > text.length ? text : form
}

/** The condition that one of some columns of `row` contains a text. */
export function anywhere(columns: readonly string[], text: string): [sql: string, parameters: object] {
  const patterns = patternsOf(text)
  const matches = columns.flatMap((column) =>
    patterns.map((_, form) => like(`row.${column}`, `:pattern${form}`)),
  )
  const parameters = Object.fromEntries(patterns.map((pattern, form) => [`pattern${form}`, pattern]))
  return [`(${matches.join(' OR ')})`, parameters]
}

/** The same for one column, as SQL with the values of its `?`. */
export function containing(column: string, text: string): { sql: string; values: readonly string[] } {
  return matching([column], text)
}

/** The same for several columns. */
export function matching(
  columns: readonly string[],
  text: string,
): { sql: string; values: readonly string[] } {
  const patterns = patternsOf(text)
  const sql = columns.flatMap((column) => patterns.map(() => like(column, '?'))).join(' OR ')
  return { sql: `(${sql})`, values: columns.flatMap(() => patterns) }
}

function like(column: string, place: string): string {
  return `${column} LIKE ${place} COLLATE utf8mb4_unicode_520_ci ESCAPE '!'`
}

/** Of the composed form, and of the decomposed one where that is another. */
function patternsOf(text: string): string[] {
  const forms = new Set([text.normalize('NFC'), text.normalize('NFD')])
  return [...forms].map((form) => `%${form.replace(/[!%_]/g, '!$&')}%`)
}
