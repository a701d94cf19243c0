/** What a list page keeps in its URL and sends to the API (contract, Conventions 3 and 4). */

export interface ListSearch {
  page?: number
  limit?: number
  search?: string
  /** Field that the rows are sorted by. */
  sort?: string
  order?: 'asc' | 'desc'
}

/** A list's answer. */
export interface ListAnswer<Row> {
  data: Row[]
  meta: { total: number; page: number; limit: number; total_pages: number }
}

/** Parses a list page's URL; invalid values are dropped. */
export function listSearchOf(search: Record<string, unknown>): ListSearch {
  const page = positive(search['page'])
  const limit = positive(search['limit'])
  const text = search['search']
  const sort = search['sort']
  const order = search['order']
  return {
    ...(page && page > 1 && { page }),
    ...(limit && limit <= 100 && { limit }),
    ...(typeof text === 'string' && text !== '' && { search: text.slice(0, 100) }),
    ...(typeof text === 'number' && { search: String(text) }),
    ...(typeof sort === 'string' && { sort }),
    ...((order === 'asc' || order === 'desc') && { order }),
  }
}

function positive(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** One of the allowed words, or undefined. */
export function wordOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value)
}

/** Default page size. */
export const defaultLimit = 25

/**
 * The part of a request that every list has.
 * @param fields the endpoint's sort fields; other words in the URL are ignored
 */
export function listQueryOf<const Field extends string>(
  search: ListSearch,
  fields: readonly Field[],
): { page: number; limit: number; search?: string; sort_field?: Field; sort_order?: 'asc' | 'desc' } {
  const sort = wordOf(search.sort, fields)
  return {
    page: search.page ?? 1,
    limit: search.limit ?? defaultLimit,
    ...(search.search && { search: search.search }),
    ...(sort && { sort_field: sort, sort_order: search.order ?? 'asc' }),
  }
}
