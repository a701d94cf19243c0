/** The report of an import. */
import { table } from '../lib/table.js'
import type { LineResult, Outcome } from './importer.js'

/** What `--json` prints. */
export interface ImportReport {
  file: string
  dry_run: boolean
  lines: number
  counts: Record<Outcome, number>
  /** Why the import stopped early. */
  stopped: string | null
  results: LineResult[]
}

export function reportOf(
  file: string,
  dry_run: boolean,
  unsorted: readonly LineResult[],
  stopped: string | undefined,
): ImportReport {
  const results = unsorted.toSorted((one, other) => one.line - other.line)
  const counts = { created: 0, valid: 0, existing: 0, failed: 0, untried: 0 }
  for (const { outcome } of results) counts[outcome]++
  return { file, dry_run, lines: results.length, counts, stopped: stopped ?? null, results }
}

/** A line for each problem; undefined if there is none. */
export function problemTable({ results }: ImportReport): string | undefined {
  const problems = results.flatMap(({ line, key, errors = [] }) =>
    errors.flatMap(({ field, messages }) => messages.map((message) => ({ line, key, field, message }))),
  )
  if (problems.length === 0) return undefined
  return table(problems, {
    line: ({ line }) => line,
    key: ({ key }) => key,
    field: ({ field }) => field,
    problem: ({ message }) => message,
  })
}

/** `480 created, 15 there already, 5 failed.` */
export function summary({ counts, dry_run }: ImportReport): string {
  const parts = [
    dry_run ? `${counts.valid} would be created` : `${counts.created} created`,
    `${counts.existing} there already`,
    `${counts.failed} failed`,
    ...(counts.untried > 0 ? [`${counts.untried} not tried`] : []),
  ]
  return `${parts.join(', ')}.`
}
