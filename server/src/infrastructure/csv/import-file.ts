/** Reads an imported CSV file as a stream: its heading, and its lines with the cells of the columns that are known. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { unquoted } from '../http/csv.js'
import { invalidField } from '../http/errors.js'

/** Bytes of a file: some 100 for each line. */
export const maxImportBytes = 5 * 1024 * 1024

/** What fits no column of a spreadsheet program's usual export. */
const maxColumns = 100

export interface ImportColumn {
  name: string
  kind: 'text' | 'boolean' | 'number' | 'list' | 'object'
  /** Other names that headings have for it: lower case, words separated by `_`. */
  also?: readonly string[]
  /** Never shown. */
  isSecret?: boolean
}

/** A column of the file, and the field that it fills; null where it is left out. */
export interface MappedColumn {
  header: string
  column: string | null
}

export interface ImportLine {
  /** In the file, from 1. */
  line: number
  /** As they are written, by column; empty ones are left out. */
  cells: Record<string, string>
}

/** The heading, then the lines. */
export interface ImportFile {
  columns: MappedColumn[]
  lines: ImportLine[]
}

export interface ReadOptions {
  columns: readonly ImportColumn[]
  required: readonly string[]
  /** The caller's choice of columns by heading; '' leaves one out. */
  mapping: Readonly<Record<string, string>>
  maxLines: number
}

/** @throws 400 naming `file` when it is no CSV in UTF-8, has too many lines, or lacks a column */
export async function readImport(path: string, options: ReadOptions): Promise<ImportFile> {
  const parser = pipeline(
    createReadStream(path),
    decoded,
    parse({
      ...{ bom: true, info: true, skip_empty_lines: true, trim: true, relax_quotes: true },
      ...{ relax_column_count: true, delimiter: await delimiterOf(path) },
    }),
    () => undefined, // what fails is thrown to the reader
  )
  let columns: MappedColumn[] | undefined
  const lines: ImportLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (!columns) columns = headingOf(record, options)
      else if (lines.length === options.maxLines)
        throw invalidField('file', `file must have ${options.maxLines} lines at most, below its heading`)
      else lines.push({ line: info.lines, cells: cellsOf(columns, record) })
    }
  } catch (error) {
    throw readable(error)
  }
  if (!columns || lines.length === 0)
    throw invalidField('file', 'file must have a heading and a line below it')
  return { columns, lines }
}

function headingOf(headers: readonly string[], { columns, required, mapping }: ReadOptions): MappedColumn[] {
  if (headers.length > maxColumns) throw invalidField('file', `file must have ${maxColumns} columns at most`)
  const mapped = headers.map((header) => ({ header, column: columnOf(header, columns, mapping) }))
  const used = new Set<string>()
  for (const { column } of mapped) {
    if (column === null) continue
    const isMany = columns.find(({ name }) => name === column)?.kind === 'list'
    if (used.has(column) && !isMany) throw invalidField('file', `file has the column ${column} twice`)
    used.add(column)
  }
  const missing = required.find((name) => !used.has(name))
  if (missing !== undefined) throw invalidField('file', `file has no column ${missing}`)
  return mapped
}

function columnOf(
  header: string,
  columns: readonly ImportColumn[],
  mapping: Readonly<Record<string, string>>,
): string | null {
  const chosen = Object.hasOwn(mapping, header) ? mapping[header] : undefined
  if (chosen === '') return null
  const word = (chosen ?? header)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const found = columns.find(({ name, also = [] }) => name === word || also.includes(word))
  if (chosen !== undefined && !found) {
    const names = columns.map(({ name }) => name).join(', ')
    throw invalidField('mapping', `mapping must name columns for ${header}: one of ${names}`)
  }
  return found?.name ?? null
}

function cellsOf(columns: readonly MappedColumn[], record: readonly string[]): Record<string, string> {
  const cells: Record<string, string> = {}
  for (const [index, { column }] of columns.entries()) {
    const text = unquoted(record[index] ?? '')
    if (column === null || text === '') continue
    const before = cells[column]
    cells[column] = before === undefined ? text : `${before};${text}`
  }
  return cells
}

/** Spreadsheets of countries with a decimal comma separate cells by semicolons; some programs write tabs. */
async function delimiterOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8_192), 0, 8_192, 0)
    const heading = /^[^\r\n]*/.exec(buffer.toString('utf8', 0, bytesRead))?.[0] ?? ''
    return [',', ';', '\t'].find((mark) => heading.includes(mark)) ?? ','
  } finally {
    await file.close()
  }
}

/** @throws 400 where it is not UTF-8: a name must not come in with other letters */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? invalidField('file', 'file must be text in UTF-8') : error
  }
}

function readable(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  return code?.startsWith('CSV_') ? invalidField('file', `file is no CSV: ${message ?? code}`) : error
}
