/** What a list of a workspace's rows is asked for. */
import type { FindOptionsWhere } from 'typeorm'
import type { Cursor } from './paged.js'

export interface ListOptions<E> {
  page: number
  limit: number
  sort_field: string
  sort_order: 'asc' | 'desc'
  search?: string
  /** Columns that `search` is looked for in, anywhere in their text. */
  searched?: readonly (keyof E & string)[]
  /** Values of a column whose rows `search` finds as well. */
  alsoFound?: { readonly column: keyof E & string; readonly values: readonly string[] }
  /** What else must hold. */
  where?: FindOptionsWhere<E>
  /** The index to take, where the database would choose among several and may choose ill. */
  index?: string
  /** Columns that are read; all by default. The id is always among them. */
  columns?: readonly (keyof E & string)[]
  /** How many rows match, where that is known without counting all of them. */
  total?: () => Promise<number>
  /** Only the rows behind this one, which are not counted: the list must be in the order of creation, oldest first. */
  after?: Cursor
}

/** One page of rows, and how many rows match in all. */
export interface Found<E> {
  rows: E[]
  total: number
}

/** Whether the page is the beginning of an index that every table has: its rows can be read at once. */
export function beginsAnIndex<E>({
  page,
  sort_field,
  search,
  where,
  columns,
  after,
}: ListOptions<E>): boolean {
  const whole = !search && !columns && !after && Object.keys(where ?? {}).length === 0
  return whole && page === 1 && sort_field === 'created_at'
}
