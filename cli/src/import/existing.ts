/** Existing rows, which lines are compared with. */
import { type JackfieldClient, type List, type Outcome, rowsOf } from '@jackfield/sdk'
import type { ListPath, PathOf, RowOf } from '../lib/endpoints.js'
import type { Body, ImportSpec } from './import-spec.js'

export interface Existing {
  idByKey: ReadonlyMap<string, string>
  /** Values of the unique fields, in lower case. */
  values: ReadonlyMap<string, ReadonlySet<string>>
}

/** All rows of a list. */
export function everyRow<L extends ListPath>(
  api: JackfieldClient,
  path: L,
  search?: string,
): AsyncGenerator<RowOf<L>> {
  const get = api.GET as unknown as (path: string, init: object) => Promise<Outcome<List<RowOf<L>>>>
  return rowsOf(async (query) =>
    get(path, { params: { query: { ...query, ...(search !== undefined && { search }) } } }),
  )
}

/** One value of all rows of a list. */
export async function valuesOf<Row>(
  rows: AsyncIterable<Row>,
  value: (row: Row) => string,
): Promise<Set<string>> {
  const values = new Set<string>()
  for await (const row of rows) values.add(value(row))
  return values
}

export async function existingOf<P extends PathOf<'post'>, L extends ListPath>(
  api: JackfieldClient,
  spec: ImportSpec<P, L>,
): Promise<Existing> {
  const idByKey = new Map<string, string>()
  const values = new Map((spec.unique ?? []).map((field) => [field, new Set<string>()]))
  for await (const row of everyRow(api, spec.list)) {
    idByKey.set(spec.keyOfExisting(row), spec.idOfExisting(row))
    for (const [field, taken] of values) taken.add(textOf((row as Body)[field]).toLowerCase())
  }
  return { idByKey, values }
}

/** The id of a row that someone else has created since the import began. */
export async function findExisting<P extends PathOf<'post'>, L extends ListPath>(
  api: JackfieldClient,
  spec: ImportSpec<P, L>,
  key: string,
  body: Body,
): Promise<string | undefined> {
  for await (const row of everyRow(api, spec.list, textOf(body[spec.searchBy]))) {
    if (spec.keyOfExisting(row) === key) return spec.idOfExisting(row)
  }
  return undefined
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
