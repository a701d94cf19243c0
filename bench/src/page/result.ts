/** What a run of a benchmark came to: kept in bench/results, from which the page is made. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface Result {
  /** Day of the run, `YYYY-MM-DD`. */
  day: string
  /** The commit that ran, with `+` where the tree had changes. */
  commit: string
  machine: string
  seconds: number
  /** What is not the benchmark's default: `BENCH_…`. */
  settings: Record<string, string>
  /** Whether it ended well. */
  isWhole: boolean
  /** What it printed. */
  output: string
}

export interface Figure {
  what: string
  value: string
  /** '' where nothing is aimed at. */
  aim: string
  isMet: boolean | null
}

const line = /^= (?<what>.+): (?<value>-?(?:[\d.]+|Infinity)|NaN)(?: \((?<aim>.+): (?<met>met|missed)\))?$/

/** The figures that a benchmark printed (`printFigure` in figures.ts). */
export function figuresOf({ output }: Result): Figure[] {
  return output.split('\n').flatMap((printed) => {
    const { what, value, aim, met } = line.exec(printed)?.groups ?? {}
    if (what === undefined || value === undefined) return []
    return [{ what, value, aim: aim ?? '', isMet: met === undefined ? null : met === 'met' }]
  })
}

const pathOf = (name: string) => fileURLToPath(new URL(`../../results/${name}.json`, import.meta.url))

/** @returns undefined where it has never been run */
export function readResult(name: string): Result | undefined {
  let text: string
  try {
    text = readFileSync(pathOf(name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return JSON.parse(text) as Result
}

export function keepResult(name: string, result: Result): void {
  mkdirSync(fileURLToPath(new URL('../../results', import.meta.url)), { recursive: true })
  writeFileSync(pathOf(name), `${JSON.stringify(result, null, 2)}\n`)
}

/** What runs here, in one line. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return [
    ...[`${cpus().length} x ${cpu?.model.trim() ?? 'unknown processor'}, ${memory}`, `Linux ${release()}`],
    ...[`Node ${process.version.slice(1)}`, versionOf('MariaDB', 'mariadbd', /Ver ([\d.]+)/)],
    ...[versionOf('Kamailio', 'kamailio', /kamailio ([\d.]+)/, '-v')],
    versionOf(
      'FreeSWITCH',
      process.env['FREESWITCH_BIN'] ?? '/opt/freeswitch/bin/freeswitch',
      /version: ([\d.]+)/,
      '-version',
    ),
  ]
    .filter(Boolean)
    .join(', ')
}

function versionOf(title: string, command: string, pattern: RegExp, flag = '--version'): string {
  try {
    const [, version] = pattern.exec(execFileSync(command, [flag], { encoding: 'utf8' })) ?? []
    return version ? `${title} ${version}` : ''
  } catch {
    return '' // not on this machine
  }
}

export function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') ? '+' : ''}`
}
