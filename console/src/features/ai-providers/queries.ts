import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { keyOf, listQuery } from '../../api/resources'

export type AiProvider = components['schemas']['AiProvider']

export const aiProvidersKey = keyOf('/ai-providers')

export const aiProvidersQuery = listQuery('/ai-providers', ['created_at', 'name'])

export const aiProviderQuery = (id: string) =>
  queryOptions({
    queryKey: [...aiProvidersKey, 'one', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/ai-providers/{id}', { params: { path: { id } }, signal })),
  })
