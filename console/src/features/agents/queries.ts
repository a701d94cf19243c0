import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { type ListSearch, listSearchOf, wordOf } from '../../api/lists'
import { countryCodes } from '../../design/country-codes'
import { teamsKey } from '../teams/queries'
import { keyOf, listQuery } from '../../api/resources'

export type Agent = components['schemas']['Agent']

export const agentStates = ['available', 'incall', 'busy', 'offline'] as const

/** Filters for rights and state, and their API parameters. */
const accounts = {
  admins: { is_admin: true },
  active: { is_active: true },
  inactive: { is_active: false },
} as const

export const agentRoles = ['member', 'leader', 'supervisor'] as const

export type AccountFilter = keyof typeof accounts

export const accountFilters = Object.keys(accounts) as AccountFilter[]

export interface AgentsFilter {
  state?: Agent['state']
  account?: AccountFilter
  country?: string
  role?: Agent['role']
  /** Id of a team, or `none`. */
  team?: string
}

export type AgentsSearch = ListSearch & AgentsFilter

/** Parses the list's URL. */
export function agentsSearchOf(search: Record<string, unknown>): AgentsSearch {
  const state = wordOf(search['state'], agentStates)
  const account = wordOf(search['account'], accountFilters)
  const country = wordOf(search['country'], countryCodes)
  const role = wordOf(search['role'], agentRoles)
  const { team } = search
  return {
    ...listSearchOf(search),
    ...(state && { state }),
    ...(account && { account }),
    ...(country && { country }),
    ...(role && { role }),
    ...(typeof team === 'string' && { team }),
  }
}

export const agentsKey = keyOf('/agents')

const sortFields = ['created_at', 'display_name', 'username', 'email'] as const

/** The list's filters, as the API has them. */
export const agentsFilterOf = ({ state, account, country, role, team }: AgentsSearch) => ({
  ...(state && { state }),
  ...(account && accounts[account]),
  ...(country && { country_code: country }),
  ...(role && { role }),
  ...(team && { team_id: team }),
})

export const agentsQuery = listQuery('/agents', sortFields, agentsFilterOf)

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: [...agentsKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/agents/{id}', { params: { path: { id } }, signal })),
  })

/** The first hundred: no agent is in more teams. Invalidated when teams change. */
export const agentTeamsQuery = (id: string) =>
  queryOptions({
    queryKey: [...teamsKey, 'of-agent', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/agents/{id}/teams', { params: { path: { id }, query: { limit: 100 } }, signal })),
  })

const asChoice = ({ id, display_name, username }: Agent) => ({
  value: id,
  label: `${display_name} (${username})`,
})

export const agentChoices: ChoiceSource = {
  key: agentsKey,
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search, sort_field: 'display_name', sort_order: 'asc' } as const
    return (await dataOf(api.GET('/agents', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/agents/{id}', { params: { path: { id } }, signal }))),
}
