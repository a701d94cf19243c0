import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { type ListSearch, listQueryOf } from '../../api/lists'
import { ofFile } from '../../api/query-client'

export type Audio = components['schemas']['Audio']

export const audiosKey = ['audios'] as const

export const audiosQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...audiosKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/audios', { params: { query: listQueryOf(search, ['created_at', 'title']) }, signal })),
    placeholderData: keepPreviousData,
  })

export const soundQuery = (id: string) =>
  queryOptions({
    queryKey: [...audiosKey, 'sound', id],
    queryFn: async ({ signal }) => contentOf(`/audios/${id}/content`, signal),
    ...ofFile,
    gcTime: 0,
  })
