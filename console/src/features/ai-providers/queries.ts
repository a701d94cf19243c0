import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { listQuery } from '../../api/resources'

export type AiProvider = components['schemas']['AiProvider']

export const aiProvidersKey = ['ai-providers'] as const

export const aiProvidersQuery = listQuery('/ai-providers', ['created_at', 'name'])

export const aiProviderQuery = (id: string) =>
  queryOptions({
    queryKey: [...aiProvidersKey, 'one', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/ai-providers/{id}', { params: { path: { id } }, signal })),
  })
