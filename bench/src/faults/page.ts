/** docs/reference/faults.md and bench/results/faults.json. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeMachine } from '../page/result.js'
import type { Row } from './row.js'

/** A row and the run that it is of: rows by name may be of another. */
export interface KeptRow extends Row {
  /** `YYYY-MM-DD`. */
  day: string
  /** With `+` where the tree had changes. */
  commit: string
  machine: string
  /** Calls a second. */
  rate: number
}

const results = new URL('../../results/faults.json', import.meta.url)
const page = new URL('../../../docs/reference/faults.md', import.meta.url)

export function keptRows(): KeptRow[] {
  try {
    return JSON.parse(readFileSync(results, 'utf8')) as KeptRow[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Keeps rows, and those of earlier runs that are not among them, and writes the page. */
export function keep(
  rows: readonly Row[],
  { rate, commit }: Pick<KeptRow, 'rate' | 'commit'>,
  order: readonly string[],
): void {
  const run = { day: new Date().toISOString().slice(0, 10), commit, machine: describeMachine(), rate }
  const fresh = rows.map((row): KeptRow => ({ ...row, ...run }))
  const kept = merged(keptRows(), fresh, order)
  const head = readFileSync(new URL('../../pages/faults.md', import.meta.url), 'utf8').trimEnd()
  mkdirSync(fileURLToPath(new URL('.', results)), { recursive: true })
  writeWhole(results, `${JSON.stringify(kept, null, 2)}\n`)
  writeWhole(page, written(head, kept))
}

/** In order, and behind them those that are not in it: a page may know of rows that this version does not have. */
export function merged<One extends { name: string }>(
  kept: readonly One[],
  fresh: readonly One[],
  order: readonly string[],
): One[] {
  const names = new Set(fresh.map(({ name }) => name))
  const place = ({ name }: One) => (order.includes(name) ? order.indexOf(name) : order.length)
  const all = [...kept.filter(({ name }) => !names.has(name)), ...fresh]
  return all.sort((one, other) => place(one) - place(other))
}

/** What was there stays when this process is ended meanwhile. */
function writeWhole(path: URL, text: string): void {
  const next = new URL(`${path.href}.next`)
  writeFileSync(next, text)
  renameSync(next, path)
}

/** @param head text above the table */
export function written(head: string, rows: readonly KeptRow[]): string {
  const runs = [...new Set(rows.map(runOf))]
  const table = tableOf(
    [
      'part',
      'fault',
      'calls',
      'refused',
      'cut',
      'requests failed',
      'recovery, s',
      'data lost',
      'beside',
      'run',
    ],
    rows.map((row) => [
      ...[row.part, `${row.what}${row.seconds > 0 ? ` for ${row.seconds} s` : ''}`, String(row.calls)],
      ...[String(row.refused), String(row.cut), `${row.requestsFailed} of ${row.requests}`],
      ...[row.recoverySeconds === null ? '**never**' : String(row.recoverySeconds)],
      ...[row.lost?.length === 0 ? 'none' : `**${row.lost?.length ?? 'unknown'}**`],
      row.notes.join('; ').replaceAll(/[\n|]+/g, ' '),
      String(runs.indexOf(runOf(row)) + 1),
    ]),
  )
  const losses = rows.flatMap(({ name, lost }) =>
    lost && lost.length > 0 ? [`- ${name}: ${lost.slice(0, 5).join('; ')}`] : [],
  )
  return [
    ...[head, '', table, '', ...runs.map((run, index) => `- Run ${index + 1}: ${run}`)],
    ...(losses.length > 0 ? ['', '## What was lost', '', ...losses] : []),
    '',
  ].join('\n')
}

const runOf = ({ day, commit, machine, rate }: KeptRow) =>
  `${day}, commit ${commit}, ${rate} calls a second, ${machine}`

/** Aligned as prettier does it. */
function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, 3, ...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`
  return [headings, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n')
}
