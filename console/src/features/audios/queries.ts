import type { components } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { contentOf } from '../../api/download'
import { ofFile } from '../../api/query-client'
import { keyOf, listQuery } from '../../api/resources'

export type Audio = components['schemas']['Audio']

export const audiosKey = keyOf('/audios')

export const audiosQuery = listQuery('/audios', ['created_at', 'title'])

export const soundQuery = (id: string) =>
  queryOptions({
    queryKey: [...audiosKey, 'sound', id],
    queryFn: async ({ signal }) => contentOf(`/audios/${id}/content`, signal),
    ...ofFile,
    gcTime: 0,
  })
