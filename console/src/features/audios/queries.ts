import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { ChoiceSource } from '../../api/choices'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { asRead } from '../../api/query-client'
import { keyOf, listQuery } from '../../api/resources'

export type Audio = components['schemas']['Audio']

export const audiosKey = keyOf('/audios')

export const audiosQuery = listQuery('/audios', ['created_at', 'title'])

export const soundQuery = (id: string) =>
  queryOptions({
    queryKey: [...audiosKey, 'sound', id],
    queryFn: async ({ signal }) => contentOf(`/audios/${id}/content`, signal),
    ...asRead,
    gcTime: 0,
  })

export const audioChoices: ChoiceSource = {
  key: audiosKey,
  list: async (search, signal) => {
    const query = { page: 1, limit: 50, sort_field: 'title' as const, sort_order: 'asc' as const, search }
    const { data } = await dataOf(api.GET('/audios', { params: { query }, signal }))
    return data.map(({ id, title }) => ({ value: id, label: title }))
  },
  one: async (id, signal) => {
    const { title } = await dataOf(api.GET('/audios/{id}', { params: { path: { id } }, signal }))
    return { value: id, label: title }
  },
}
