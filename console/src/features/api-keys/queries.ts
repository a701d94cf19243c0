import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'

export type ApiKey = components['schemas']['ApiKey']

/** Query keys to invalidate when a key is created or revoked. */
export const apiKeysKey = ['api-keys'] as const

export const apiKeysQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...apiKeysKey, search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/api-keys', { params: { query: listQueryOf(search, ['created_at']) }, signal })),
    placeholderData: keepPreviousData,
  })
