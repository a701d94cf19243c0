/** Parses `--columns`, `--sort` and `--filter`, and applies what the API cannot do. */
import type { Columns } from './table.js'
import { commaSeparated, nearest, pairOf } from './texts.js'
import { usageError } from './usage-error.js'

/** Columns of a list: all, the default ones, and those that the API sorts and filters by. */
export interface Offered<Row> {
  columns: Columns<Row>
  shown: readonly string[]
  sortFields: readonly string[]
  /** The API's default sort field. */
  ordered?: string | undefined
  filters: readonly string[]
}

/** Parameters for the API, and what is done with the rows here. */
export interface View<Row> {
  columns: Columns<Row>
  query: Record<string, string>
  /** Column to sort by locally; undefined if the API sorts. */
  sortedHere?: string
  /** Columns to filter by locally. */
  filteredHere: string[]
  arrange(rows: Row[]): Row[]
}

interface Flags {
  columns?: string | undefined
  sort?: string | undefined
  filter?: string[] | undefined
}

/** Parses the flags. @throws naming an unknown column, with the nearest one */
export function viewOf<Row>(offered: Offered<Row>, flags: Flags): View<Row> {
  const names = Object.keys(offered.columns)
  const shown = flags.columns === undefined ? offered.shown : commaSeparated(flags.columns)
  if (shown.length === 0) throw usageError('--columns names no column')
  const columns = Object.fromEntries(
    shown.map((name) => [name, cell(offered, known('--columns', name, names))]),
  )
  const sort = flags.sort === undefined ? null : sortOf(flags.sort)
  const filters = (flags.filter ?? []).map(filterOf)
  if (sort) known('--sort', sort.name, [...offered.sortFields, ...names])
  for (const { name } of filters) known('--filter', name, [...offered.filters, ...names])
  const sortedByApi = sort !== null && offered.sortFields.includes(sort.name)
  const toApi = filters.filter(({ name }) => offered.filters.includes(name))
  const here = filters.filter(({ name }) => !offered.filters.includes(name))
  return {
    columns,
    query: {
      ...(sortedByApi && { sort_order: sort.order }),
      ...(sortedByApi && sort.name !== offered.ordered && { sort_field: sort.name }),
      ...Object.fromEntries(toApi.map(({ name, value }) => [name, asQuery(name, value)])),
    },
    ...(sort && !sortedByApi && { sortedHere: sort.name }),
    filteredHere: here.map(({ name }) => name),
    arrange(rows) {
      const kept = rows.filter((row) =>
        here.every(({ name, value }) => matches(cell(offered, name)(row), value)),
      )
      return sort && !sortedByApi ? sorted(kept, cell(offered, sort.name), sort.order) : kept
    },
  }
}

function cell<Row>(offered: Offered<Row>, name: string): (row: Row) => unknown {
  return offered.columns[name] ?? (() => null)
}

/** `title` or, descending, `-title`. */
function sortOf(text: string): { name: string; order: 'asc' | 'desc' } {
  return text.startsWith('-') ? { name: text.slice(1), order: 'desc' } : { name: text, order: 'asc' }
}

function filterOf(text: string): { name: string; value: string } {
  const [name, value] = pairOf('--filter', text, 'column')
  return { name: name.trim(), value: value.trim() }
}

function known(flag: string, name: string, names: readonly string[]): string {
  if (names.includes(name)) return name
  const all = [...new Set(names)]
  const meant = nearest(name, all)
  const advice = meant ? `did you mean ${meant}?` : `it is one of ${all.join(', ')}`
  throw usageError(`${flag}: there is no column ${name}: ${advice}`)
}

/** Tables show true and false as yes and no; the country NO stays as it is. */
function asQuery(name: string, value: string): string {
  if (!/^(is|enable)_/.test(name)) return value
  return { yes: 'true', no: 'false' }[value.toLowerCase()] ?? value
}

function matches(value: unknown, wanted: string): boolean {
  if (typeof value === 'boolean')
    return (value ? ['true', 'yes'] : ['false', 'no']).includes(wanted.toLowerCase())
  if (Array.isArray(value)) return value.some((item) => matches(item, wanted))
  const text =
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.toLowerCase() === wanted.toLowerCase()
}

/** Numbers by value, texts by locale, empty cells last. */
function sorted<Row>(rows: Row[], by: (row: Row) => unknown, order: 'asc' | 'desc'): Row[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one) ?? '', by(other) ?? '']
    if (a === '' || b === '') return Number(a === '') - Number(b === '')
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    const [left, right] = [a, b].map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    return sign * (left ?? '').localeCompare(right ?? '', 'en', { numeric: true })
  })
}
