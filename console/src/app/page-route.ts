import type { QueryKey } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { fetched } from '../api/fetched'
import { type ListSearch, listSearchOf } from '../api/lists'
import { ahead, queryClient } from '../api/query-client'

/**
 * A page as a chunk of its own. While the server is unreachable, the previous page stays.
 * `component: pageOf(async () => import('./pages/numbers-page'), 'NumbersPage')`
 */
export function pageOf<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): ReturnType<typeof lazyRouteComponent<Module, Name>> {
  return lazyRouteComponent(async () => fetched(load), name)
}

/** What `queryOptions` makes. */
interface AnyQuery {
  queryKey: QueryKey
}

/** What the loader of a list page hands to the page. */
export interface LoadedList {
  /** The query of the rows. */
  rows: AnyQuery
}

/**
 * Options of a list page's route: the URL has the state of the list, and its rows are fetched while its code is on its way.
 * `...listOf(extensionsQuery)`, or with filters `...listOf(agentsQuery, agentsSearchOf)`
 */
export function listOf(query: (search: ListSearch) => AnyQuery): ListOptions<ListSearch>
export function listOf<Search extends object>(
  query: (search: Search) => AnyQuery,
  searchOf: (search: Record<string, unknown>) => Search,
): ListOptions<Search>
export function listOf(
  query: (search: ListSearch) => AnyQuery,
  searchOf: (search: Record<string, unknown>) => ListSearch = listSearchOf,
): ListOptions<ListSearch> {
  return {
    validateSearch: searchOf,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      const rows = query(deps)
      ahead(queryClient.query(rows))
      return { rows }
    },
  }
}

interface ListOptions<Search> {
  validateSearch: (search: Record<string, unknown>) => Search
  loaderDeps: (route: { search: Search }) => Search
  loader: (route: { deps: Search }) => LoadedList
}
