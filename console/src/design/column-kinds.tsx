/** The usual columns of lists; others are written out as a {@link Column}. */
import type { ReactNode } from 'react'
import type { Column } from './columns'
import { Time } from './values'

interface ColumnOptions {
  /** The API sorts by this field. */
  sort?: true
}

type Field<Name extends string, Value> = Readonly<Record<Name, Value>>

function column<Name extends string, Value>(
  field: Name,
  header: string,
  { sort }: ColumnOptions,
  render: (value: Value) => ReactNode,
): Column<Field<Name, Value>> {
  return { key: field, header, ...(sort && { sort: field }), render: (row): ReactNode => render(row[field]) }
}

/** A field as it is; a dash where there is none. */
export const text = <Name extends string>(field: Name, header: string, options: ColumnOptions = {}) =>
  column<Name, string | null>(field, header, options, (value) => value ?? '–')

/** An identifier. */
export const code = <Name extends string>(field: Name, header: string, options: ColumnOptions = {}) =>
  column<Name, string>(field, header, options, (value) => <code>{value}</code>)

/** A moment of ISO 8601. */
export const time = <Name extends string>(field: Name, header: string, options: ColumnOptions = {}) =>
  column<Name, string | null>(field, header, options, (value) => <Time at={value} />)

/** When the row was made; every list can be sorted by it. */
export const created = (header: string) => time('created_at', header, { sort: true })
