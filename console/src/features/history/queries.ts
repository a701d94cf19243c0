import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { defaultLimit } from '../../api/lists'
import { ofFile } from '../../api/query-client'
import type { HistorySearch } from './search'

export type HistoryCall = components['schemas']['AgentCall']
export type CallDetail = components['schemas']['AgentCallDetail']
export type CallLeg = CallDetail['legs'][number]
export type CallEvent = CallDetail['events'][number]
export type Recording = CallDetail['recordings'][number]
export type Dialogue = components['schemas']['CallDialogue']

export const historyKey = ['history'] as const

export const historyQuery = ({ team, page = 1, limit = defaultLimit }: HistorySearch) =>
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
export const callKey = (id: string) => [...historyKey, 'call', id] as const

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: callKey(id),
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/call-center/calls/{id}', { params: { path: { id } }, signal })),
  })

/** The API's largest page; longer transcripts are cut here. */
const shownLines = 100

export const transcriptQuery = (id: string) =>
  queryOptions({
    queryKey: [...callKey(id), 'transcript'],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/call-center/calls/{id}/transcript', {
          params: { path: { id }, query: { limit: shownLines } },
          signal,
        }),
      ),
  })

/** The sound of a recording, fetched because a media URL could not carry the credentials. */
export const soundQuery = (callId: string, recordingId: string) =>
  queryOptions({
    queryKey: [...historyKey, 'sound', recordingId],
    queryFn: async ({ signal }) =>
      contentOf(`/call-center/calls/${callId}/recordings/${recordingId}/content`, signal),
    ...ofFile,
    // Recordings are megabytes: free the memory early.
    gcTime: 30_000,
  })
