/**
 * The condition that a text stands anywhere in one of some columns of `row`. The collation is named,
 * as a search may hold letters that a column of ASCII cannot be compared with otherwise, and as older ones
 * take all emoji for the same.
 */
export function anywhere(columns: readonly string[], text: string): [sql: string, parameters: object] {
  const matches = columns.map(
    (column) => `row.${column} LIKE :pattern COLLATE utf8mb4_unicode_520_ci ESCAPE '!'`,
  )
  return [`(${matches.join(' OR ')})`, { pattern: `%${text.replace(/[!%_]/g, '!$&')}%` }]
}
