import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { keyOf, listQuery } from '../../api/resources'

export type Team = components['schemas']['Team']

export const teamsKey = keyOf('/teams')

export const teamsQuery = listQuery('/teams', ['created_at', 'name'])

export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: [...teamsKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/teams/{id}', { params: { path: { id } }, signal })),
  })

export const teamAgentsQuery = (id: string, search: ListSearch) =>
  queryOptions({
    queryKey: [...teamsKey, 'agents', id, search],
    queryFn: async ({ signal }) => {
      const query = listQueryOf(search, ['created_at', 'display_name', 'username'])
      return dataOf(api.GET('/teams/{id}/agents', { params: { path: { id }, query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

const asChoice = ({ id, name }: Team) => ({ value: id, label: name })

export const teamChoices: ChoiceSource = {
  key: teamsKey,
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search, sort_field: 'name', sort_order: 'asc' } as const
    return (await dataOf(api.GET('/teams', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/teams/{id}', { params: { path: { id } }, signal }))),
}
