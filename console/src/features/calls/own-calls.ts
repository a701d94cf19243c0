/** Calls that an agent, or the agent's teams, have had. */
import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { type ListSearch, defaultLimit, listSearchOf } from '../../api/lists'
import { ofFile } from '../../api/query-client'

export type OwnCall = components['schemas']['AgentCall']
export type OwnCallDetail = components['schemas']['AgentCallDetail']
export type CallLeg = OwnCallDetail['legs'][number]
export type Recording = OwnCallDetail['recordings'][number]

/** A team's calls, or the agent's own by default. */
export type OwnCallsSearch = Pick<ListSearch, 'page' | 'limit'> & { team?: string }

export function ownCallsSearchOf(search: Record<string, unknown>): OwnCallsSearch {
  const { page, limit } = listSearchOf(search)
  const team = search['team']
  return { ...(page && { page }), ...(limit && { limit }), ...(typeof team === 'string' && team && { team }) }
}

export const historyKey = ['history'] as const

export const ownCallsQuery = ({ team, page = 1, limit = defaultLimit }: OwnCallsSearch) =>
  queryOptions({
    queryKey: [...historyKey, 'calls', team ?? null, page, limit],
    queryFn: async ({ signal }) => {
      const query = { page, limit }
      return dataOf(
        team === undefined
          ? api.GET('/call-center/calls', { params: { query }, signal })
          : api.GET('/call-center/teams/{team_id}/call-history', {
              params: { path: { team_id: team }, query },
              signal,
            }),
      )
    },
    placeholderData: keepPreviousData,
  })

/** Key of a call and its transcript. */
export const ownCallKey = (id: string) => [...historyKey, 'call', id] as const

export const ownCallQuery = (id: string) =>
  queryOptions({
    queryKey: ownCallKey(id),
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/call-center/calls/{id}', { params: { path: { id } }, signal })),
  })

/** The API's largest page; longer transcripts are cut here. */
const shownLines = 100

export const ownTranscriptQuery = (id: string) =>
  queryOptions({
    queryKey: [...ownCallKey(id), 'transcript'],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/call-center/calls/{id}/transcript', {
          params: { path: { id }, query: { limit: shownLines } },
          signal,
        }),
      ),
  })

/** The sound of a recording, fetched because a media URL could not carry the credentials. */
export const ownSoundQuery = (callId: string, recordingId: string) =>
  queryOptions({
    queryKey: [...historyKey, 'sound', recordingId],
    queryFn: async ({ signal }) =>
      contentOf(`/call-center/calls/${callId}/recordings/${recordingId}/content`, signal),
    ...ofFile,
    // Recordings are megabytes: free the memory early.
    gcTime: 30_000,
  })
