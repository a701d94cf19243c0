/** Calls that an agent, or the agent's teams, have had. */
import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { contentOf } from '../../api/download'
import { type ListSearch, defaultLimit, listSearchOf, wordOf } from '../../api/lists'
import { asRead } from '../../api/query-client'
import { type OutcomeFilter, outcomeFilters } from './workspace-calls'

export type OwnCall = components['schemas']['OwnCall']
export type TeamCall = components['schemas']['AgentCall']
export type OwnCallDetail = components['schemas']['AgentCallDetail']
export type CallLeg = OwnCallDetail['legs'][number]
export type Recording = OwnCallDetail['recordings'][number]

/** Which of the agent's own calls; all but supervision by default. */
export const callSides = ['incoming', 'outgoing', 'missed', 'supervision'] as const
export type CallSide = (typeof callSides)[number]

/** A team's calls, or the agent's own by default. */
export interface OwnCallsSearch extends Pick<ListSearch, 'page' | 'limit' | 'search'> {
  team?: string
  /** Of one's own calls. */
  side?: CallSide
  /** Of a team's. */
  outcome?: OutcomeFilter
}

export function ownCallsSearchOf(parameters: Record<string, unknown>): OwnCallsSearch {
  const { page, limit, search } = listSearchOf(parameters)
  const { team } = parameters
  const side = wordOf(parameters['side'], callSides)
  const outcome = wordOf(parameters['outcome'], outcomeFilters)
  return {
    ...{ ...(page && { page }), ...(limit && { limit }), ...(search && { search }) },
    ...(typeof team === 'string' && team && { team }),
    ...(side && { side }),
    ...(outcome && { outcome }),
  }
}

export const historyKey = ['history'] as const

const pageOf = ({ page = 1, limit = defaultLimit, search }: OwnCallsSearch) => ({
  ...{ page, limit },
  ...(search && { search }),
})

export const ownCallsQuery = ({ team: _, outcome: __, ...search }: OwnCallsSearch) =>
  queryOptions({
    queryKey: [...historyKey, 'calls', search],
    queryFn: async ({ signal }) => {
      const query = { ...pageOf(search), ...(search.side && { side: search.side }) }
      return dataOf(api.GET('/call-center/calls', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

export const teamCallsQuery = (team_id: string, { outcome, ...search }: OwnCallsSearch) =>
  queryOptions({
    queryKey: [...historyKey, 'calls', team_id, outcome, search],
    queryFn: async ({ signal }) => {
      const query = { ...pageOf(search), ...(outcome && { outcome }) }
      return dataOf(
        api.GET('/call-center/teams/{team_id}/call-history', {
          params: { path: { team_id }, query },
          signal,
        }),
      )
    },
    placeholderData: keepPreviousData,
  })

/** The list that the history shows. */
export const historyQuery = (search: OwnCallsSearch) =>
  search.team === undefined ? ownCallsQuery(search) : teamCallsQuery(search.team, search)

export type MissedCall = components['schemas']['MissedCall']

export const missedStates = ['open', 'handled', 'all'] as const

export interface MissedSearch extends Pick<ListSearch, 'page' | 'limit'> {
  state?: (typeof missedStates)[number]
}

export function missedSearchOf(parameters: Record<string, unknown>): MissedSearch {
  const { page, limit } = listSearchOf(parameters)
  const state = wordOf(parameters['state'], missedStates)
  return { ...(page && { page }), ...(limit && { limit }), ...(state && { state }) }
}

export const missedKey = ['missed-calls'] as const

export const missedCallsQuery = ({ page = 1, limit = defaultLimit, state = 'open' }: MissedSearch) =>
  queryOptions({
    queryKey: [...missedKey, { page, limit, state }],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/call-center/missed-calls', { params: { query: { page, limit, state } }, signal })),
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
    ...asRead,
    // Recordings are megabytes: free the memory early.
    gcTime: 30_000,
  })
