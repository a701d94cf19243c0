/** Figures of benchmarks: what is between samples, and how it is printed. */
import { cpus, loadavg } from 'node:os'

/** The value that a share of the samples does not exceed; 0 of none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The middle one; of an even number, the mean of the middle two. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
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

/** Prints a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}
