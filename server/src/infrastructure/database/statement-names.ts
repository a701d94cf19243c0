/** What measurements and traces call a statement. They have neither its text nor its values. */

/** The first word, in lower case. */
export function firstWord(query: string): string {
  return (/^\s*([A-Za-z]+)/.exec(query)?.[1] ?? '').toLowerCase()
}

/** The first table that a statement names. */
export function firstTable(query: string): string | null {
  return /\b(?:from|into|update|join)\s+`?(\w+)/i.exec(query.slice(0, 10_000))?.[1] ?? null
}
