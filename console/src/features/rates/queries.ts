import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'
import { rateDecksKey, workspacesKey } from '../../api/platform'
import { listQuery } from '../../api/resources'

type Schemas = components['schemas']
export type RateDeck = Schemas['RateDeck']
export type Rate = Schemas['Rate']
export type RateKind = Rate['kind']

export const rateKinds: readonly RateKind[] = ['outbound_call', 'inbound_call', 'message']

export const rateDecksQuery = listQuery('/rate-decks', ['created_at', 'title'])

export const rateDeckQuery = (id: string) =>
  queryOptions({
    queryKey: [...rateDecksKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/rate-decks/{id}', { params: { path: { id } }, signal })),
  })

/** What the page of a deck keeps in its URL. */
export interface RatesSearch extends Pick<ListSearch, 'page' | 'limit' | 'search'> {
  kind?: RateKind
}

export function ratesSearchOf(address: Record<string, unknown>): RatesSearch {
  const { page, limit, search } = listSearchOf(address)
  const kind = wordOf(address['kind'], rateKinds)
  return { ...(page && { page }), ...(limit && { limit }), ...(search && { search }), ...(kind && { kind }) }
}

/** Digits of the search text; null if it has more digits than a number. */
function digitsOf(text = ''): string {
  return text.replaceAll(/\D/g, '').slice(0, 15)
}

/** Rates of a deck: for a number (with +) those that match it, for a prefix those that start with it. */
export const ratesQuery = (id: string, { kind, search, ...pages }: RatesSearch) =>
  queryOptions({
    queryKey: [...rateDecksKey, 'rates', id, { kind, search, ...pages }],
    queryFn: async ({ signal }) => {
      const { page, limit } = listQueryOf(pages, [])
      const digits = digitsOf(search)
      const searched = search?.startsWith('+') ? { number: digits } : { prefix: digits }
      const query = { page, limit, ...(kind && { kind }), ...(digits && searched) }
      return dataOf(api.GET('/rate-decks/{id}/rates', { params: { path: { id }, query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

/** Workspaces that use it as their own deck. */
export const deckWorkspacesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...workspacesKey, 'of-deck', id, page],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/workspaces', {
          params: {
            query: { rate_deck_id: id, page, limit: 10, sort_field: 'title', sort_order: 'asc' },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
