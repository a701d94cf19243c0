/**
 * Imports rows from a CSV file: all of them or, if the caller says so, those that are right. A row whose key exists is left
 * alone or changed, so that a file can be imported again. All is one transaction: what is answered with 200 is there.
 */
import type { TSchema } from 'typebox'
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { ApiError, type FieldProblem, ValidationError, forbidden, invalidField } from '../http/errors.js'
import { bodyValidator } from '../http/validation.js'
import { type ImportColumn, type ImportLine, type MappedColumn, readImport } from './import-file.js'
import { type References, resolveReferences } from './references.js'

/** Problems that are named in one answer. */
const maxProblems = 100

/** Lines that a dry run shows. */
const shown = 5

export interface RowImporter<Body extends object> {
  columns: readonly ImportColumn[]
  /** Of one row. */
  body: TSchema
  references?: References
  /** Fields that a new row needs, and a row that exists does without: what an export leaves out. */
  forNew?: readonly (keyof Body & string)[]
  maxLines: number
  /** What brings a row to the form in which it is kept, and finds what its schema does not say. @throws {ValidationError} */
  prepare?(workspace: Owner, body: Body): Promise<void>
  /** Rows with the same key are the same row. */
  keyOf(body: Body): string
  /** The column at which a key that comes twice is reported. */
  keyColumn: keyof Body & string
  /** Ids of the rows that exist already, by key. */
  existing(workspace: Owner, bodies: readonly Body[]): Promise<ReadonlyMap<string, string>>
  /** How many rows more the workspace may hold. */
  room(workspace: Owner): Promise<number>
  /** What takes long, before anything is written. @param bodies those of new rows */
  before?(bodies: readonly Body[]): Promise<void>
  create(body: Body): Promise<unknown>
  /** @param given what the line says, without defaults; without the function rows are left alone */
  update?(id: string, given: Partial<Body>): Promise<unknown>
}

export interface ImportOptions {
  existing: 'skip' | 'update'
  faulty: 'refuse' | 'skip'
  dry_run: boolean
  mapping: Readonly<Record<string, string>>
}

export interface LineProblem {
  line: number
  field: string
  message: string
}

export interface ImportReport {
  is_dry_run: boolean
  fields: string[]
  columns: MappedColumn[]
  lines: number
  created: number
  updated: number
  skipped: number
  failed: number
  preview: { line: number; values: Record<string, string> }[]
  problems: LineProblem[]
}

interface Row<Body> {
  line: number
  body: Body
  given: Partial<Body>
}

/** @throws 400 naming lines as `file.<line>.<column>`, 403 where the workspace may not hold so many rows */
export async function importRows<Body extends object>(
  database: Database,
  workspace: Owner,
  path: string,
  importer: RowImporter<Body>,
  options: ImportOptions,
): Promise<ImportReport> {
  const { columns, body, maxLines } = importer
  const required = requiredOf(body).filter((name) => columns.some((column) => column.name === name))
  const file = await readImport(path, { columns, required, maxLines, mapping: options.mapping })
  const problems = new Problems()
  const right = await checked(database, workspace, file.lines, importer, problems)
  const known = await importer.existing(
    workspace,
    right.map((row) => row.body),
  )
  const isKnown = ({ body: one }: Row<Body>) => known.has(importer.keyOf(one))
  const rows = right.filter((row) => isKnown(row) || isWhole(row, importer.forNew ?? [], problems))
  const fresh = rows.filter((row) => !isKnown(row))
  const changed = options.existing === 'update' && importer.update ? rows.filter(isKnown) : []
  const room = await importer.room(workspace)
  if (fresh.length > room)
    throw forbidden(`The workspace may hold ${room} more; the file has ${fresh.length} that are new`)
  const isRefused = options.faulty === 'refuse' && problems.lines.size > 0
  if (isRefused && !options.dry_run) throw problems.refusal()
  if (!options.dry_run) await importer.before?.(fresh.map((row) => row.body))
  const counts = options.dry_run
    ? { created: fresh.length, updated: changed.length }
    : await written(database, importer, { fresh, changed, known }, options, problems)
  return {
    is_dry_run: options.dry_run,
    fields: columns.map(({ name }) => name),
    columns: file.columns,
    lines: file.lines.length,
    ...counts,
    skipped: rows.length - fresh.length - changed.length,
    failed: problems.lines.size,
    preview: file.lines
      .slice(0, shown)
      .map(({ line, cells }) => ({ line, values: shownCells(cells, columns) })),
    problems: problems.first,
  }
}

function isWhole<Body extends object>(
  { line, body }: Row<Body>,
  needed: readonly (keyof Body & string)[],
  problems: Problems,
): boolean {
  const missing = needed.filter((field) => body[field] === undefined)
  for (const field of missing) problems.add(line, invalidField(field, `${field} is required`))
  return missing.length === 0
}

/** Fields that a row must have, and that have no default. */
function requiredOf(body: TSchema): readonly string[] {
  const { required = [], properties = {} } = body as {
    required?: readonly string[]
    properties?: Readonly<Record<string, { default?: unknown } | undefined>>
  }
  return required.filter((name) => properties[name]?.default === undefined)
}

function shownCells(cells: Readonly<Record<string, string>>, columns: readonly ImportColumn[]) {
  const secrets = new Set(columns.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])))
  return Object.fromEntries(
    Object.entries(cells).map(([name, text]) => [name, secrets.has(name) ? '••••' : text]),
  )
}

/** The lines that are right, by all that can be known before they are written. */
async function checked<Body extends object>(
  database: Database,
  workspace: Owner,
  lines: readonly ImportLine[],
  importer: RowImporter<Body>,
  problems: Problems,
): Promise<Row<Body>[]> {
  const check = bodyValidator(importer.body)
  const resolve = await resolveReferences(database, workspace, importer.references ?? {}, lines)
  const first = new Map<string, number>()
  const rows: Row<Body>[] = []
  for (const { line, cells } of lines) {
    try {
      const { values, unknown } = resolve(cells)
      if (unknown.length > 0) throw new ValidationError(unknown)
      const body = bodyOf(values, importer.columns) as Body
      const given = { ...body }
      check(body)
      await importer.prepare?.(workspace, body)
      const key = importer.keyOf(body)
      const before = first.get(key)
      if (before !== undefined) {
        const field = importer.keyColumn
        throw new ValidationError([{ field, messages: [`${field} is the same as in line ${before}`] }])
      }
      first.set(key, line)
      // What was brought to its form is written in that form.
      for (const field of Object.keys(given) as (keyof Body)[]) given[field] = body[field]
      rows.push({ line, body, given })
    } catch (error) {
      problems.add(line, error)
    }
  }
  return rows
}

interface Work<Body> {
  fresh: readonly Row<Body>[]
  changed: readonly Row<Body>[]
  known: ReadonlyMap<string, string>
}

async function written<Body extends object>(
  database: Database,
  importer: RowImporter<Body>,
  { fresh, changed, known }: Work<Body>,
  { faulty }: ImportOptions,
  problems: Problems,
): Promise<{ created: number; updated: number }> {
  return database.together(async () => {
    // A transaction that met another one's lock begins again.
    const failed = new Problems()
    const attempt = async (line: number, write: () => Promise<unknown>): Promise<number> => {
      try {
        await write()
        return 1
      } catch (error) {
        failed.add(line, error)
        return 0
      }
    }
    let [created, updated] = [0, 0]
    for (const { line, body } of fresh) created += await attempt(line, async () => importer.create(body))
    for (const { line, body, given } of changed)
      updated += await attempt(line, async () =>
        importer.update?.(known.get(importer.keyOf(body)) ?? '', given),
      )
    if (faulty === 'refuse' && failed.lines.size > 0) throw failed.refusal()
    problems.take(failed)
    return { created, updated }
  })
}

/** Cells as the types of their columns. */
function bodyOf(cells: Readonly<Record<string, string>>, columns: readonly ImportColumn[]): object {
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
  return Object.fromEntries(
    Object.entries(cells).map(([name, text]) => [name, valueOf(name, text, kinds.get(name) ?? 'text')]),
  )
}

const yes = /^(true|yes|ja|1)$/i
const no = /^(false|no|nein|0)$/i

/** Text that is no object stays as it is, for the schema to refuse. @throws {ValidationError} */
function valueOf(name: string, text: string, kind: ImportColumn['kind']): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'boolean':
      if (yes.test(text)) return true
      if (no.test(text)) return false
      throw invalidField(name, `${name} must be true or false`)
    case 'number':
      return /^-?\d+$/.test(text) ? Number(text) : text
    case 'list':
      return text
        .split(';')
        .map((part) => part.trim())
        .filter(Boolean)
    case 'object':
      try {
        return JSON.parse(text) as unknown
      } catch {
        return text
      }
  }
}

class Problems {
  readonly first: LineProblem[] = []
  readonly lines = new Set<number>()

  /** @throws what is not the line's fault */
  add(line: number, error: unknown): void {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    this.lines.add(line)
    const found: readonly FieldProblem[] =
      error instanceof ValidationError ? error.errors : [{ field: '', messages: [error.message] }]
    for (const { field, messages } of found)
      for (const message of messages)
        if (this.first.length < maxProblems) this.first.push({ line, field, message })
  }

  take(others: Problems): void {
    for (const line of others.lines) this.lines.add(line)
    this.first.push(...others.first.slice(0, maxProblems - this.first.length))
  }

  refusal(): ValidationError {
    return new ValidationError(
      this.first.map(({ line, field, message }) => ({
        field: ['file', line, field].filter(Boolean).join('.'),
        messages: [`line ${line}: ${message}`],
      })),
    )
  }
}
