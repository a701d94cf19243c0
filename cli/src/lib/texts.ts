import { usageError } from './usage-error.js'

/**
 * An amount of money as it is written: `25`, `0.012`. An empty text is refused, not read as 0: it is what
 * an unset variable of a script leaves, and would make a number free. @throws naming the flag
 */
export function amountOf(flag: string, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text.trim())) {
    throw usageError(`${flag} must be a number`)
  }
  return Number(text)
}

/** Makes sure that a command was told what to change. @throws when it was not */
export function requireChange(changes: object): void {
  if (Object.keys(changes).length > 0) return
  throw usageError('Nothing to change: give at least one flag, see --help')
}

/** `name=value` → `['name', 'value']`. @throws naming the flag and the form it takes */
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

/** The text that is nearest to what was written: a third of the letters differ at most. */
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
