/** The teams that one is in: leaders say who else is. */
import { type components, dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf } from '../../api/lists'
import { teammatesKey } from '../presence/queries'

export type Teammate = components['schemas']['Teammate']

export interface OwnTeamsSearch extends Pick<ListSearch, 'page' | 'limit'> {
  /** The one that is shown; the first without. */
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

type Colleague = components['schemas']['Colleague']

const asChoice = ({ id, display_name, username }: Colleague) => ({
  value: id,
  label: `${display_name} (${username})`,
})

/** Agents of the workspace who may work. */
export const colleagueChoices: ChoiceSource = {
  key: ['colleagues'],
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search }
    return (await dataOf(api.GET('/call-center/agents', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/call-center/agents/{id}', { params: { path: { id } }, signal }))),
}
