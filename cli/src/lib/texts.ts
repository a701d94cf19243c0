import { usageError } from './usage-error.js'

/**
 * An amount of money: `25`, `0.012`. An empty text is an error, not 0: an unset variable
 * of a script would make a number free. @throws naming the flag
 */
export function amountOf(flag: string, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text.trim())) {
    throw usageError(`${flag} must be a number`)
  }
  return Number(text)
}

/** Requires at least one change. @throws if no flag is given */
export function requireChange(changes: object): void {
  if (Object.keys(changes).length > 0) return
  throw usageError('Nothing to change: give at least one flag, see --help')
}

/** `name=value` → `['name', 'value']`. @throws naming the flag and its format */
export function pairOf(flag: string, text: string, name: string): [name: string, value: string] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) {
    throw usageError(`${flag} ${text} must be <${name}>=<value>`)
  }
  return [key, value]
}

/** `a, b` → `['a', 'b']`. */
export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The closest option, if at most a third of the letters differ. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((text) => ({ text, letters: lettersBetween(written, text) }))
    .filter(({ letters }) => letters <= written.length / 3)
    .sort((one, other) => one.letters - other.letters)
  return best?.text
}

/** Letters to add, drop, change, or swap with the next one (Damerau’s distance, optimal string alignment). */
function lettersBetween(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [line, letter] of a.entries()) {
    const next = [line + 1]
    for (let column = 1; column <= b.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      const swaps = letter === b[column - 2] && a[line - 1] === b[column - 1]
      const swapped = swaps ? (before[column - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(changed, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
