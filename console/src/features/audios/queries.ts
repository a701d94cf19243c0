import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, authorizedFetch } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'

export type Audio = components['schemas']['Audio']

export const audiosKey = ['audios'] as const

export const audiosQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...audiosKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/audios', { params: { query: listQueryOf(search, ['created_at', 'title']) }, signal })),
    placeholderData: keepPreviousData,
  })

/** Its sound. @throws when the server does not send it */
export async function soundOf(id: string, signal: AbortSignal): Promise<Blob> {
  const answer = await authorizedFetch(`/api/v1/audios/${id}/content`, { signal })
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`)
  return answer.blob()
}
