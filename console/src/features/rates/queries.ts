import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'
import { rateDecksKey, workspacesKey } from '../../api/platform'

type Schemas = components['schemas']
export type RateDeck = Schemas['RateDeck']
export type Rate = Schemas['Rate']
export type RateKind = Rate['kind']

export const rateKinds: readonly RateKind[] = ['outbound_call', 'inbound_call', 'message']

export const rateDecksQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...rateDecksKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/rate-decks', { params: { query: listQueryOf(search, ['created_at', 'title']) }, signal }),
      ),
    placeholderData: keepPreviousData,
  })

export const rateDeckQuery = (id: string) =>
  queryOptions({
    queryKey: [...rateDecksKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/rate-decks/{id}', { params: { path: { id } }, signal })),
  })

/** What the page of a deck keeps in its address. */
export interface RatesSearch extends Pick<ListSearch, 'page' | 'limit' | 'search'> {
  kind?: RateKind
}

export function ratesSearchOf(address: Record<string, unknown>): RatesSearch {
  const { page, limit, search } = listSearchOf(address)
  const kind = wordOf(address['kind'], rateKinds)
  return { ...(page && { page }), ...(limit && { limit }), ...(search && { search }), ...(kind && { kind }) }
}

/** The digits of what is searched for; more than a number has are none. */
function digitsOf(text = ''): string {
  return text.replaceAll(/\D/g, '').slice(0, 15)
}

/** Rates of a deck. A number has those that fit it, some first digits those that begin so. */
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

/** Workspaces whose own deck it is. */
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
