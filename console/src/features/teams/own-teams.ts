/** The signed-in agent's teams; leaders manage the members. */
import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf } from '../../api/lists'
import { teammatesKey } from '../presence/queries'

export type Teammate = components['schemas']['Teammate']

export interface OwnTeamsSearch extends Pick<ListSearch, 'page' | 'limit'> {
  /** The team that is shown; the first by default. */
  team?: string
}

export function ownTeamsSearchOf(search: Record<string, unknown>): OwnTeamsSearch {
  const { page, limit } = listSearchOf(search)
  const { team } = search
  return {
    ...(page && { page }),
    ...(limit && { limit }),
    ...(typeof team === 'string' && team !== '' && { team }),
  }
}

export const teammatesPageQuery = (team: string, search: OwnTeamsSearch) =>
  queryOptions({
    queryKey: [...teammatesKey, team, 'page', search],
    queryFn: async ({ signal }) => {
      const { page, limit } = listQueryOf(search, [])
      const params = { path: { id: team }, query: { page, limit } }
      return dataOf(api.GET('/call-center/teams/{id}/agents', { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
