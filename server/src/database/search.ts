/**
 * The condition that a text stands anywhere in one of some columns of `row`. The collation is named,
 * as a search may hold letters that a column of ASCII cannot be compared with otherwise, and as older ones
 * take all emoji for the same.
 */
export function anywhere(columns: readonly string[], text: string): [sql: string, parameters: object] {
  const matches = columns.map(
    (column) => `row.${column} LIKE :pattern COLLATE utf8mb4_unicode_520_ci ESCAPE '!'`,
  )
  return [`(${matches.join(' OR ')})`, { pattern: patternOf(text) }]
}

/** The same of one column, as SQL with the values of its `?`. */
export function containing(column: string, text: string): { sql: string; values: readonly string[] } {
  return {
    sql: `${column} LIKE ? COLLATE utf8mb4_unicode_520_ci ESCAPE '!'`,
    values: [patternOf(text)],
  }
}

function patternOf(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`
}
