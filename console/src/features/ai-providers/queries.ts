import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'

export type AiProvider = components['schemas']['AiProvider']

export const aiProvidersKey = ['ai-providers'] as const

export const aiProvidersQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...aiProvidersKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/ai-providers', { params: { query: listQueryOf(search, ['created_at', 'name']) }, signal }),
      ),
    placeholderData: keepPreviousData,
  })

export const aiProviderQuery = (id: string) =>
  queryOptions({
    queryKey: [...aiProvidersKey, 'one', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/ai-providers/{id}', { params: { path: { id } }, signal })),
  })
