import { ApiError } from './errors.js'

/** Result of a client call. */
export interface Outcome<T> {
  data?: T
  error?: unknown
  response: Response
}

/** Response of a list (contract, Conventions 3). */
export interface List<Row> {
  data: Row[]
  meta: { total: number; page: number; limit: number; total_pages: number }
}

/** The data of a response. @throws {ApiError} if the API refuses */
export async function dataOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call
  if (data === undefined) throw new ApiError(response.status, error, response.headers.get('retry-after'))
  return data
}

/** Page size: the API's largest page. */
const pageSize = 100

/**
 * Every row of a list, fetched page by page while iterating:
 * `for await (const row of rowsOf((query) => client.GET('/agents', { params: { query } })))`.
 * A row created or deleted meanwhile may shift a page's edge: sort by `created_at`, `asc`, to miss none.
 * @throws {ApiError} if the API refuses
 */
export async function* rowsOf<Row>(
  page: (query: { page: number; limit: number }) => Promise<Outcome<List<Row>>>,
): AsyncGenerator<Row, void, undefined> {
  for (let number = 1; ; number++) {
    const { data, meta } = await dataOf(page({ page: number, limit: pageSize }))
    yield* data
    if (number >= meta.total_pages) return
  }
}
