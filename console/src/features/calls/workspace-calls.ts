/** All calls of the workspace. */
import { type components, dataOf } from '@jackfield/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { type DayRange, beginOf, dayRangeOf, endOf } from '../../api/days'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'
import type { ChoiceSource } from '../../api/choices'
import { asRead } from '../../api/query-client'

export type CallRecord = components['schemas']['CallRecord']
export type CallDetail = components['schemas']['CallDetail']
export type CallLeg = CallDetail['legs'][number]
export type CallOffer = CallDetail['offers'][number]
export type CallEvent = components['schemas']['CallEvent']
export type CallStatus = CallRecord['status']

export const callStatuses = [
  ...(['created', 'ringing', 'started', 'active', 'completed'] as const),
  ...(['no_answer', 'busy', 'canceled', 'failed'] as const),
]
export const directions = ['inbound', 'outbound'] as const

/** `unanswered`: abandoned, missed or left to voicemail. */
export const outcomeFilters = [
  ...(['unanswered', 'answered', 'voice_agent', 'voicemail', 'self_service'] as const),
  ...(['abandoned', 'missed', 'refused', 'failed'] as const),
]
export type OutcomeFilter = (typeof outcomeFilters)[number]

export interface CallsSearch extends ListSearch, DayRange {
  status?: CallStatus | 'live'
  outcome?: OutcomeFilter
  direction?: CallRecord['direction']
  agent?: string
  team?: string
}

/** Parses the URL of the call history. */
export function callsSearchOf(search: Record<string, unknown>): CallsSearch {
  const status = wordOf(search['status'], [...callStatuses, 'live'] as const)
  const direction = wordOf(search['direction'], directions)
  const outcome = wordOf(search['outcome'], outcomeFilters)
  const { agent, team } = search
  return {
    ...listSearchOf(search),
    ...dayRangeOf(search),
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(direction && { direction }),
    ...(typeof agent === 'string' && { agent }),
    ...(typeof team === 'string' && { team }),
  }
}

/** Filters of the URL as API parameters, for a list and for a download of all. */
export function callFilterOf({ status, outcome, direction, agent, team, from, to, search }: CallsSearch) {
  return {
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(direction && { direction }),
    ...(agent && { agent_id: agent }),
    ...(team && { team_id: team }),
    ...(from && { from: beginOf(from) }),
    ...(to && { to_date: endOf(to) }),
    ...(search && { search }),
  }
}

export const callsKey = ['calls'] as const

export const callListsKey = [...callsKey, 'list'] as const

export const callsQuery = (search: CallsSearch) =>
  queryOptions({
    queryKey: [...callListsKey, search],
    queryFn: async ({ signal }) => {
      const query = {
        ...listQueryOf(search, ['created_at', 'duration', 'cost', 'wait_seconds', 'talk_seconds']),
        ...callFilterOf(search),
      }
      return dataOf(api.GET('/calls', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

/** Key of a call and all of its parts. */
export const callKey = (id: string) => [...callsKey, 'one', id] as const

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: callKey(id),
    queryFn: async ({ signal }) => dataOf(api.GET('/calls/{id}', { params: { path: { id } }, signal })),
  })

/** Page size of the timeline. */
const pageSize = 100

const nextPage = ({ meta }: { meta: { page: number; total_pages: number } }) =>
  meta.page < meta.total_pages ? meta.page + 1 : undefined

export const callEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...callKey(id), 'events'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { page: pageParam, limit: pageSize }
      return dataOf(api.GET('/calls/{id}/events', { params: { path: { id }, query }, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

export const callTranscriptQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...callKey(id), 'transcript'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { page: pageParam, limit: pageSize }
      return dataOf(api.GET('/calls/{id}/transcript', { params: { path: { id }, query }, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

export const callRecordingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...callKey(id), 'recordings'],
    queryFn: async ({ signal }) => {
      const query = { limit: pageSize, sort_order: 'asc' } as const
      return dataOf(api.GET('/calls/{id}/recordings', { params: { path: { id }, query }, signal }))
    },
  })

/** The sound of a recording, fetched because a media URL could not carry the credentials. */
export const soundQuery = (recordingId: string) =>
  queryOptions({
    queryKey: ['recordings', 'sound', recordingId],
    queryFn: async ({ signal }) => contentOf(`/recordings/${recordingId}/content`, signal),
    ...asRead,
    // Recordings are megabytes: free the memory early.
    gcTime: 30_000,
  })

const asChoice = ({ id, display_name, username }: components['schemas']['Agent']) => ({
  value: id,
  label: `${display_name} (${username})`,
})

export const agentChoices: ChoiceSource = {
  key: ['agents'],
  list: async (search, signal) => {
    const query = { limit: 50, search, sort_field: 'display_name', sort_order: 'asc' } as const
    return (await dataOf(api.GET('/agents', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/agents/{id}', { params: { path: { id } }, signal }))),
}
