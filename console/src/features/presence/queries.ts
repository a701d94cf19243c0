import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'

export type AgentState = components['schemas']['AgentState']
export type Teammate = components['schemas']['Teammate']
export type OwnTeam = components['schemas']['CallCenterTeam']
export type StateName = Teammate['state']

export const ownStateKey = ['own-state'] as const
export const teammatesKey = ['teammates'] as const

/** Page size: more would not fit on the screen. */
const shown = { page: 1, limit: 100 }

export const ownStateQuery = queryOptions({
  queryKey: ownStateKey,
  queryFn: async ({ signal }) => dataOf(api.GET('/me/state', { signal })),
})

/** Why the agent may be away. */
export const awayReasonsQuery = queryOptions({
  queryKey: ['away-reasons'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/me/away-reasons', { signal }))).away_reasons,
  staleTime: 60_000,
})

export const ownTeamsQuery = queryOptions({
  queryKey: ['own-teams'],
  queryFn: async ({ signal }) => dataOf(api.GET('/me/teams', { params: { query: shown }, signal })),
  staleTime: 60_000,
})

/** Members of a team other than the user. */
export const teammatesQuery = (teamId: string) =>
  queryOptions({
    queryKey: [...teammatesKey, teamId],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/call-center/teams/{id}/agents', {
          params: { path: { id: teamId }, query: shown },
          signal,
        }),
      ),
  })
