import { type components, dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listSearchOf } from '../../api/lists'
import { keyOf, listQuery } from '../../api/resources'

export type Erasure = components['schemas']['Erasure']

export const erasuresKey = keyOf('/erasures')

export interface ErasuresSearch extends Omit<ListSearch, 'search'> {
  /** Contact to erase. */
  contact?: string | undefined
}

export function erasuresSearchOf(given: Record<string, unknown>): ErasuresSearch {
  const { search: _, ...list } = listSearchOf(given)
  const { contact } = given
  return { ...list, ...(typeof contact === 'string' && contact !== '' && { contact }) }
}

/** Polling interval: their progress is not streamed. */
const askedEveryMs = 3_000

const erasureList = listQuery('/erasures', ['created_at'])

export const erasuresQuery = ({ contact: _, ...search }: ErasuresSearch) =>
  queryOptions({
    ...erasureList(search),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status !== 'completed') ? askedEveryMs : false,
  })

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['erasure-contact', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/contacts/{id}', { params: { path: { id } }, signal })),
  })
