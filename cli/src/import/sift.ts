/** Rejects lines before they are sent: by the schema, duplicates in the file, and existing rows. */
import type { FieldProblem, JackfieldClient } from '@jackfield/sdk'
import { nearest, pairOf } from '../lib/texts.js'
import type { CsvFile } from './csv-rows.js'
import { type Existing, textOf } from './existing.js'
import type { Body, ReferenceLoader } from './import-spec.js'
import type { Candidate, LineResult } from './importer.js'
import type { RowSchema } from './row-schema.js'
import { usageError } from '../lib/usage-error.js'

interface Rules {
  schema: RowSchema
  /** Default cells. */
  defaults: Readonly<Record<string, string>>
  existing: Existing
  keyOf: (body: Body) => string
  /** Field at which a duplicate key is reported. */
  keyField: string
  unique?: readonly string[]
}

export interface Sifted {
  candidates: Candidate[]
  /** Lines that are reported without being sent. */
  settled: LineResult[]
}

export function sift(file: CsvFile, rules: Rules): Sifted {
  const { schema, defaults, existing, keyOf, keyField, unique = [] } = rules
  const settled: LineResult[] = []
  const candidates: Candidate[] = []
  const firstLines = new Map<string, number>()
  for (const { line, values, problem } of file.rows) {
    if (problem !== undefined) {
      settled.push({ line, key: '', outcome: 'failed', errors: [{ field: '', messages: [problem] }] })
      continue
    }
    const body = schema.bodyOf({ ...defaults, ...values })
    const key = keyOf(body)
    const errors = [...schema.problemsOf(body), ...repeated(body, key, line)]
    const id = existing.idByKey.get(key)
    if (errors.length === 0 && id !== undefined) settled.push({ line, key, outcome: 'existing', id })
    else {
      errors.push(...taken(body))
      if (errors.length > 0) settled.push({ line, key, outcome: 'failed', errors })
      else candidates.push({ line, key, body })
    }
  }
  return { candidates, settled }

  /** Values that an earlier line has already. */
  function repeated(body: Body, key: string, line: number): FieldProblem[] {
    const named = [[keyField, key], ...unique.map((field) => [field, textOf(body[field])])]
    return named.flatMap(([field = '', value = '']) => {
      if (value.trim() === '') return []
      const mark = `${field}\n${value.toLowerCase()}`
      const first = firstLines.get(mark)
      if (first === undefined) firstLines.set(mark, line)
      return first === undefined ? [] : [{ field, messages: [`${value} stands in line ${first} too`] }]
    })
  }

  /** Values that an existing row has already. */
  function taken(body: Body): FieldProblem[] {
    return unique.flatMap((field) => {
      const value = textOf(body[field])
      const known = value !== '' && existing.values.get(field)?.has(value.toLowerCase())
      return known ? [{ field, messages: [`${field} ${value} is taken`] }] : []
    })
  }
}

/** What a dry run checks besides the schema: as much of the server's own checks as it can know. */
interface Rehearsal {
  /** Fields that refer to another object of the workspace. */
  references?: Readonly<Record<string, ReferenceLoader>>
  /** How many more the workspace's limit allows. */
  room?: number
}

/** Checks the lines against the workspace's rows and limits. */
export async function rehearse(
  api: JackfieldClient,
  candidates: readonly Candidate[],
  { references = {}, room = Infinity }: Rehearsal,
): Promise<LineResult[]> {
  const known = new Map<string, ReadonlySet<string>>()
  for (const [field, load] of Object.entries(references)) {
    if (candidates.some(({ body }) => body[field] !== undefined)) known.set(field, await load(api))
  }
  let valid = 0
  return candidates.map(({ line, key, body }) => {
    const errors = [...known].flatMap(([field, names]) => {
      const value = body[field]
      if (typeof value !== 'string' || names.has(value)) return []
      return [{ field, messages: [`${field} ${value} is not of this workspace`] }]
    })
    if (errors.length === 0 && ++valid > room) {
      errors.push({ field: '', messages: [`the workspace has room for ${room} more`] })
    }
    return { line, key, ...(errors.length > 0 ? { outcome: 'failed', errors } : { outcome: 'valid' }) }
  })
}

/** Parses `--set`. @throws naming an unknown column */
export function defaultsOf(texts: readonly string[], schema: RowSchema): Record<string, string> {
  return Object.fromEntries(
    texts.map((text): [string, string] => {
      const [name, value] = pairOf('--set', text, 'column')
      if (!schema.fields.includes(name)) throw usageError(unknownColumn(name, schema))
      return [name, value]
    }),
  )
}

/** A wrong heading is one mistake: it is reported once, before any line. */
export function checkColumns({ columns }: CsvFile, schema: RowSchema, given: readonly string[]): void {
  const unknown = columns.find((name) => !schema.fields.includes(name))
  if (unknown !== undefined) throw usageError(unknownColumn(unknown, schema))
  const lacking = schema.required.filter((name) => !columns.includes(name) && !given.includes(name))
  if (lacking.length > 0) {
    throw usageError(
      `The heading lacks ${lacking.join(', ')}: add the column, or give --set ${lacking[0] ?? ''}=…`,
    )
  }
}

function unknownColumn(name: string, { fields }: RowSchema): string {
  const meant = nearest(name.toLowerCase().replaceAll(' ', '_'), fields)
  const advice = meant ? `did you mean ${meant}?` : `it is one of ${fields.join(', ')}`
  return `There is no column ${name || 'without a name'}: ${advice}`
}
