/** Figures of benchmarks: what is between samples, and how it is printed. */
import { cpus, loadavg } from 'node:os'

/** The value that a share of the samples does not exceed; NaN of none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** The middle one; of an even number, the mean of the middle two; NaN of none. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN
  return (lower + upper) / 2
}

/** One line on the machine, to stand beside its figures. */
export function machine(): string {
  const [cpu] = cpus()
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')
  return `${new Date().toISOString().slice(0, 16)}Z, Node ${process.version}, ${cpus().length} x ${cpu?.model ?? '?'}, load before ${load}`
}

/** Prints rows under headings, columns aligned to the right but the first. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of [headings, ...rows]) {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? ''
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    say(cells.join('  '))
  }
}

/** What a figure is to be. */
export type Aim = { atLeast: number } | { atMost: number }

/**
 * Prints a figure for the summary of docs/reference/benchmarks.md, which reads it from here.
 * @param figure such as a ratio to the bare limit
 */
export function printFigure(what: string, figure: number, aim?: Aim, digits = 2): void {
  const value = figure.toFixed(digits)
  say(`= ${what}: ${value}${aim ? ` (${judged(Number(value), aim)})` : ''}`)
}

function judged(figure: number, aim: Aim): string {
  const isMet = 'atLeast' in aim ? figure >= aim.atLeast : figure <= aim.atMost
  const bound = 'atLeast' in aim ? `at least ${aim.atLeast}` : `at most ${aim.atMost}`
  return `${bound}: ${isMet ? 'met' : 'missed'}`
}

/** Prints a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}
