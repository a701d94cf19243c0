import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'

export type Contact = components['schemas']['Contact']

export const contactsKey = ['contacts'] as const

export const contactsQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...contactsKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/contacts', { params: { query: listQueryOf(search, ['created_at', 'name']) }, signal }),
      ),
    placeholderData: keepPreviousData,
  })
