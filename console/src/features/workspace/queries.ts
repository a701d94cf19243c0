import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf } from '../../api/lists'

export type Profile = components['schemas']['Profile']
export type CreditEntry = components['schemas']['CreditEntry']

/** Page of the ledger. */
export type WorkspaceSearch = Omit<ListSearch, 'search'>

export function workspaceSearchOf(search: Record<string, unknown>): WorkspaceSearch {
  const { search: _, ...list } = listSearchOf(search)
  return list
}

export const creditEntriesQuery = (search: WorkspaceSearch) =>
  queryOptions({
    queryKey: ['credit-entries', search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/credit/entries', { params: { query: listQueryOf(search, ['created_at']) }, signal })),
    placeholderData: keepPreviousData,
    // The balance is refetched, too: cached entries would contradict it.
    staleTime: 0,
  })

export const signingSecretKey = ['signing-secret'] as const

export const signingSecretQuery = queryOptions({
  queryKey: signingSecretKey,
  queryFn: async ({ signal }) => dataOf(api.GET('/signing-secret', { signal })),
})
