import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf } from '../../api/lists'

export type Erasure = components['schemas']['Erasure']

export const erasuresKey = ['erasures'] as const

export interface ErasuresSearch extends Omit<ListSearch, 'search'> {
  /** Contact to erase. */
  contact?: string | undefined
}

export function erasuresSearchOf(given: Record<string, unknown>): ErasuresSearch {
  const { search: _, ...list } = listSearchOf(given)
  const { contact } = given
  return { ...list, ...(typeof contact === 'string' && contact !== '' && { contact }) }
}

export const erasuresQuery = ({ contact: _, ...search }: ErasuresSearch) =>
  queryOptions({
    queryKey: [...erasuresKey, search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/erasures', { params: { query: listQueryOf(search, ['created_at']) }, signal })),
    placeholderData: keepPreviousData,
  })

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['erasure-contact', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/contacts/{id}', { params: { path: { id } }, signal })),
  })
