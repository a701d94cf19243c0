import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { type ListSearch, listSearchOf, wordOf } from '../../api/lists'
import { keyOf, listQuery } from '../../api/resources'
import { agentChoices } from '../agents/queries'
import { sipAccountChoices } from '../sip-accounts/queries'
import { teamChoices } from '../teams/queries'

export type Extension = components['schemas']['Extension']

export const extensionsKey = keyOf('/extensions')

export const destinationKinds = ['agent', 'team', 'sip-account', 'voice-agent'] as const

export type DestinationKind = (typeof destinationKinds)[number]

export interface ExtensionsSearch extends ListSearch {
  destination?: DestinationKind
  /** Id of what they lead to. */
  target?: string
}

/** Parses the list's URL. */
export function extensionsSearchOf(search: Record<string, unknown>): ExtensionsSearch {
  const destination = wordOf(search['destination'], destinationKinds)
  const { target } = search
  return {
    ...listSearchOf(search),
    ...(destination && { destination }),
    ...(destination && typeof target === 'string' && { target }),
  }
}

/** The list's filters, as the API has them. */
export const extensionsFilterOf = ({ destination, target }: ExtensionsSearch) => ({
  ...(destination && { destination }),
  ...(destination && target && { [destinations[destination].field]: target }),
})

export const extensionsQuery = listQuery(
  '/extensions',
  ['created_at', 'extension_number', 'title'],
  extensionsFilterOf,
)

const voiceAgentChoices: ChoiceSource = {
  key: ['voice-agent-choices'],
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search, sort_field: 'name', sort_order: 'asc' } as const
    const { data } = await dataOf(api.GET('/voice-agents', { params: { query }, signal }))
    return data.map(({ id, name }) => ({ value: id, label: name }))
  },
  one: async (id, signal) => {
    const { name } = await dataOf(api.GET('/voice-agents/{id}', { params: { path: { id } }, signal }))
    return { value: id, label: name }
  },
}

/** API field and option source of each kind of destination. */
export const destinations = {
  agent: { field: 'agent_id', source: agentChoices },
  team: { field: 'team_id', source: teamChoices },
  'sip-account': { field: 'sip_account_id', source: sipAccountChoices },
  'voice-agent': { field: 'voice_agent_id', source: voiceAgentChoices },
} as const
