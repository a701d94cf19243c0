/** What a list of the API shows of each of its rows. */
import type { ReactNode } from 'react'
import type { ListSearch } from '../api/lists'

export interface Column<Row> {
  key: string
  header: string
  render: (row: Row) => ReactNode
  /** Field of the API by which this column is sorted. */
  sort?: string
  align?: 'right'
  width?: number | string
}

/** Puts a change into the address; `undefined` takes a field out of it. */
export type OnSearch = (change: { [Field in keyof ListSearch]: ListSearch[Field] | undefined }) => void

/** What all ways to draw a list's rows need. */
export interface RowsProps<Row> {
  /** Says what is listed, to screen readers. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** At the end of each row. */
  rowActions?: ((row: Row) => ReactNode) | undefined
}

/** How a list is searched, sorted and paged, and how that is changed. */
export interface Sorting {
  search: ListSearch
  onSearch: OnSearch
}
