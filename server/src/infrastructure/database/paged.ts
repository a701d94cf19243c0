/** Pages of rows. All rows are counted only where the page does not tell how many there are. */

/** Which rows are read, in the order of the list, or in the opposite one. */
export interface Span {
  readonly limit: number
  readonly offset: number
  readonly isBackward: boolean
}

/** The last row that was read, where rows are in the order of their creation. */
export interface Cursor {
  readonly created_at: Date
  readonly id: string
}

/** Pages that begin after as many rows are worth a count beforehand: it tells whether the end is closer. */
const farRows = 1_000

/**
 * One page of a list, and how many rows the list has.
 * @param rows reads some; the last ones are read from the end, as the database walks over all that it skips
 */
export async function pageOfRows<T>(
  { page, limit }: { page: number; limit: number },
  rows: (span: Span) => Promise<T[]>,
  count: () => Promise<number>,
): Promise<{ rows: T[]; total: number }> {
  const offset = (page - 1) * limit
  if (offset < farRows) {
    // One row more tells whether this is the last page.
    const found = await rows({ limit: limit + 1, offset, isBackward: false })
    const isLast = found.length <= limit && (found.length > 0 || page === 1)
    if (isLast) return { rows: found, total: offset + found.length }
    return { rows: found.slice(0, limit), total: await count() }
  }
  const total = await count()
  const left = total - offset
  if (left <= 0) return { rows: [], total }
  if (offset < left) return { rows: await rows({ limit, offset, isBackward: false }), total }
  const some = Math.min(limit, left)
  const found = await rows({ limit: some, offset: left - some, isBackward: true })
  return { rows: found.reverse(), total }
}

/** The direction in SQL. */
export function directionOf(order: 'asc' | 'desc', { isBackward }: Pick<Span, 'isBackward'>): 'ASC' | 'DESC' {
  return (order === 'asc') !== isBackward ? 'ASC' : 'DESC'
}
