/** Columns of a list: what each row shows. */
import type { ReactNode } from 'react'
import type { ListSearch } from '../api/lists'
import type { Choosing } from './choosing'

export interface Column<Row> {
  key: string
  header: string
  render: (row: Row) => ReactNode
  /** The API's sort field. */
  sort?: string
  align?: 'right'
  width?: number | string
}

/** Applies a change to the URL; `undefined` removes a field. */
export type OnSearch = (change: { [Field in keyof ListSearch]: ListSearch[Field] | undefined }) => void

/** Props of all renderers of a list's rows. */
export interface RowsProps<Row> {
  /** Accessible name of the list. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** At the end of each row. */
  rowActions?: ((row: Row) => ReactNode) | undefined
  /** Rows have boxes, by which several are chosen. */
  choosing?: Choosing<Row> | undefined
}

/** Search, sort and paging state of a list, and how to change it. */
export interface Sorting {
  search: ListSearch
  onSearch: OnSearch
}
