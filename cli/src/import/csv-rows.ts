/** Reads CSV files as spreadsheets write them, line by line. */
import { type CsvError, type Info, parse } from 'csv-parse/sync'
import { unquoted } from '../lib/csv.js'
import { bytesOf } from '../lib/file-fields.js'
import { usageError } from '../lib/usage-error.js'

/** One line after the heading. */
export interface CsvRow {
  /** Line number in the file, from 1. */
  line: number
  /** Cells by column; empty cells are left out. */
  values: Record<string, string>
  /** Why the line cannot be read. */
  problem?: string
}

export interface CsvFile {
  columns: string[]
  rows: CsvRow[]
}

/** Larger files are refused: a file of a million lines is no manual import. */
const largestFile = 64 * 1024 * 1024

/** Reads a file, or stdin when it is `-`. @throws when it is no CSV in UTF-8 with a heading */
export async function readCsv(path: string): Promise<CsvFile> {
  const content = await bytesOf(path)
  if (content.length > largestFile) throw refused(path, 'is larger than 64 MB')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw refused(path, 'is not UTF-8: save it as “CSV UTF-8”')
  }
  return rowsOf(text, path)
}

/** @param from where the text came from, for errors */
export function rowsOf(text: string, from: string): CsvFile {
  const unreadable: CsvRow[] = []
  const records = parse(text, {
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    relax_column_count: true,
    // A stray quote is text: as an error it would swallow the lines after it.
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      if (error) unreadable.push({ line: Number(error['lines'] ?? 0), values: {}, problem: error.message })
    },
  }) as unknown as { record: string[]; info: Info }[]
  const [heading, ...rest] = records
  if (!heading) throw refused(from, 'has no heading')
  const columns = heading.record.map((name) => name.trim())
  const twice = columns.find((name, index) => columns.indexOf(name) !== index)
  if (twice !== undefined) throw refused(from, `has the column ${twice || '(without a name)'} twice`)
  let last = heading.info.lines
  const rows = rest.map(({ record, info }): CsvRow => {
    // The parser reports where a record ends; preceding lines may be empty, which is close enough.
    const line = Math.max(last + 1, info.lines - record.join('').split('\n').length + 1)
    last = info.lines
    if (record.length === columns.length) return { line, values: cellsOf(columns, record) }
    const problem = `it has ${record.length} cells, the heading has ${columns.length}`
    return { line, values: {}, problem }
  })
  return { columns, rows: [...rows, ...unreadable].sort((one, other) => one.line - other.line) }
}

function cellsOf(columns: readonly string[], record: readonly string[]): Record<string, string> {
  const cells = columns.map((name, index): [string, string] => [name, unquoted(record[index]?.trim() ?? '')])
  return Object.fromEntries(cells.filter(([, value]) => value !== ''))
}

/** Locales with a decimal comma separate cells by semicolons; some programs write tabs. */
function delimiterOf(text: string): string {
  const heading = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return [',', ';', '\t'].find((mark) => heading.includes(mark)) ?? ','
}

function refused(path: string, why: string): Error {
  return usageError(`${path} ${why}`)
}
