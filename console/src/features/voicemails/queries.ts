/** Voicemails of the agent and their teams. */
import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { type ListSearch, defaultLimit, listSearchOf, wordOf } from '../../api/lists'
import { asRead } from '../../api/query-client'

export type Voicemail = components['schemas']['Voicemail']

export const voicemailStates = ['open', 'new', 'done', 'all'] as const

export interface VoicemailSearch extends Pick<ListSearch, 'page' | 'limit' | 'search'> {
  state?: (typeof voicemailStates)[number]
}

export function voicemailSearchOf(parameters: Record<string, unknown>): VoicemailSearch {
  const { page, limit, search } = listSearchOf(parameters)
  const state = wordOf(parameters['state'], voicemailStates)
  return {
    ...{ ...(page && { page }), ...(limit && { limit }) },
    ...{ ...(search && { search }), ...(state && { state }) },
  }
}

export const voicemailsKey = ['voicemails'] as const

/** Until its file is stored, a voicemail cannot be played. */
const storedWithinMs = 3_000

export const voicemailsQuery = ({
  page = 1,
  limit = defaultLimit,
  state = 'open',
  search,
}: VoicemailSearch) => {
  const query = { page, limit, state, ...(search && { search }) }
  return queryOptions({
    queryKey: [...voicemailsKey, query],
    queryFn: async ({ signal }) => dataOf(api.GET('/call-center/voicemails', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ status }) => status !== 'ready') ? storedWithinMs : false,
  })
}

export async function setDone(id: string, isDone: boolean) {
  const params = { path: { id } }
  return dataOf(
    isDone
      ? api.PUT('/call-center/voicemails/{id}/done', { params })
      : api.DELETE('/call-center/voicemails/{id}/done', { params }),
  )
}

/** Fetched because a media URL could not carry the credentials. */
export const voicemailSoundQuery = (id: string) =>
  queryOptions({
    queryKey: ['voicemail-sound', id],
    queryFn: async ({ signal }) => contentOf(`/call-center/voicemails/${id}/content`, signal),
    ...asRead,
    // Recordings are megabytes: free the memory early.
    gcTime: 30_000,
  })
