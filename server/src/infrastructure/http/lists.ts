/** Lists: `page`, `limit`, `search`, sorting from a closed list, and `{data, meta}` (contract, Conventions 3 and 4). */
import Type, { type Static, type TSchema } from 'typebox'
import { Id } from './shapes.js'

/** Largest page of every list. */
export const maxPageSize = 100

/** Pages beyond this are refused: an OFFSET must stay bounded. */
const maxPage = 1_000_000

interface ListOptions<S extends readonly string[]> {
  /** Default page size. */
  limit: number
  /** Columns a caller may sort by; the first is the default. */
  sort: S
  /** What `search` looks at; without it the list has no search. */
  search?: string
}

/** Query schema of a list that is neither searched nor sorted. */
export function pageQuery(limit: number) {
  return Type.Object({
    page: Type.Integer({ minimum: 1, maximum: maxPage, default: 1, description: 'Page, from 1' }),
    limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: limit, description: 'Rows a page' }),
  })
}

/** Query schema of a list. */
export function listQuery<const S extends readonly [string, ...string[]]>(options: ListOptions<S>) {
  return Type.Object({
    ...pageQuery(options.limit).properties,
    search: Type.Optional(
      Type.String({ maxLength: 100, description: options.search ?? 'Not searchable: ignored' }),
    ),
    sort_field: Type.Unsafe<S[number]>({ enum: options.sort, default: options.sort[0] }),
    sort_order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
  })
}

/** In place of an id: the rows that have none. */
export const none = 'none'

/** A filter by an id that rows may lack. @param what `Only those of this team` */
export function idOrNone(what: string) {
  return Type.Optional(Id({ description: `${what}; \`${none}\`: only those without one` }))
}

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** Filters by the time at which rows were made. */
export const madeBetween = {
  from: time('Only those created at this time or after it'),
  to_date: time('Only those created at this time or before it'),
}

/** What a validated list query holds. */
export interface ListRequest {
  page: number
  limit: number
  search?: string
  sort_field: string
  sort_order: 'asc' | 'desc'
  /** Only the rows behind this one, uncounted, when all are read one batch after the other: no caller can send it. */
  after?: { readonly created_at: Date; readonly id: string }
}

const ListMeta = Type.Object({
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  total_pages: Type.Integer(),
})

/** Answer of a list of `item`. */
export function listOf<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), meta: ListMeta })
}

/** One page of rows and how many rows there are. */
export interface Page<T> {
  rows: T[]
  total: number
}

/** One page of rows that are all at hand. */
export function pageOf<T>({ page, limit }: Pick<ListRequest, 'page' | 'limit'>, rows: readonly T[]): Page<T> {
  return { rows: rows.slice((page - 1) * limit, page * limit), total: rows.length }
}

/** Builds a list's answer. */
export function listAnswer<T, U>(
  request: Pick<ListRequest, 'page' | 'limit'>,
  found: Page<T>,
  present: (row: T) => U,
): { data: U[]; meta: Static<typeof ListMeta> } {
  return {
    data: found.rows.map(present),
    meta: {
      total: found.total,
      page: request.page,
      limit: request.limit,
      total_pages: Math.ceil(found.total / request.limit),
    },
  }
}
