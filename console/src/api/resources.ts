/** Resources of the API by the path of their list: rows, queries and deletion, typed by the SDK. */
import { dataOf, type paths } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client'
import { type ListAnswer, type ListSearch, listQueryOf } from './lists'

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } }
}
  ? Answer
  : null

/** Paths of lists that need no id: `/extensions`. */
export type ListPath = {
  [Path in keyof paths]: Path extends `${string}{${string}`
    ? never
    : AnswerOf<Path> extends ListAnswer<unknown>
      ? Path
      : never
}[keyof paths]

/** Those whose rows can be exported as CSV: `/calls`. */
export type ExportPath = {
  [Path in ListPath]: `${Path}/export.csv` extends keyof paths ? Path : never
}[ListPath]

/** Those whose rows can be imported from CSV, too: `/contacts`. */
export type ImportPath = {
  [Path in ExportPath]: `${Path}/import` extends keyof paths ? Path : never
}[ExportPath]

export type RowOf<Path extends ListPath> =
  AnswerOf<Path> extends { data: readonly (infer Row)[] } ? Row : never

type QueryOf<Path extends ListPath> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never

type SortField<Path extends ListPath> =
  QueryOf<Path> extends { sort_field?: infer Field } ? Extract<Field, string> : never

/** Key of all queries about a resource: `['extensions']`. */
export function keyOf(path: ListPath): readonly [string] {
  return [path.slice(path.lastIndexOf('/') + 1)]
}

/**
 * The query of a page of rows. `listQuery('/extensions', ['created_at', 'title'])`
 * @param fields the API's sort fields; other words in the URL are ignored
 * @param filterOf API parameters of the page's own filters
 */
export function listQuery<Path extends ListPath, Search extends ListSearch = ListSearch>(
  path: Path,
  fields: readonly SortField<Path>[],
  filterOf: (search: Search) => Partial<QueryOf<Path>> = () => ({}),
) {
  return (search: Search) =>
    queryOptions({
      queryKey: [...keyOf(path), 'list', search] as const,
      queryFn: async ({ signal }) => {
        const query = { ...listQueryOf(search, fields), ...filterOf(search) } as object
        // One of the paths, for its types; the caller's follow from its own.
        const page = await dataOf(api.GET(path as '/extensions', { params: { query }, signal }))
        return page as unknown as ListAnswer<RowOf<Path>>
      },
      placeholderData: keepPreviousData,
    })
}

/** @throws {ApiError} if the API refuses */
export async function deleteOf(path: ListPath, id: string): Promise<unknown> {
  return dataOf(api.DELETE(`${path}/{id}` as '/extensions/{id}', { params: { path: { id } } }))
}
