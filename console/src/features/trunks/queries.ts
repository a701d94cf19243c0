import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'
import { type ChoiceSource, choicesLimit } from '../../api/choices'

export type InboundAcl = components['schemas']['InboundAcl']
export type OutboundGateway = components['schemas']['OutboundGateway']

export const aclsKey = ['acls'] as const
export const gatewaysKey = ['gateways'] as const

const sorts = ['created_at', 'title'] as const

export const aclsQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...aclsKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/sip-trunks/acls', { params: { query: listQueryOf(search, sorts) }, signal })),
    placeholderData: keepPreviousData,
  })

/** Includes the DNS results of its names. */
export const aclQuery = (id: string) =>
  queryOptions({
    queryKey: [...aclsKey, 'one', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/sip-trunks/acls/{id}', { params: { path: { id } }, signal })),
  })

/** Polling interval: the OPTIONS pings change the state. */
const pingedEveryMs = 15_000

export const gatewaysQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...gatewaysKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/sip-trunks/gateways', { params: { query: listQueryOf(search, sorts) }, signal })),
    refetchInterval: ({ state }) => {
      const rows = state.data?.data ?? []
      // A registrar answers within seconds
      if (rows.some(({ registration }) => registration?.status === 'registering')) return 2_000
      return rows.some(({ options_ping }) => options_ping) ? pingedEveryMs : false
    },
    placeholderData: keepPreviousData,
  })

const asChoice = ({ id, title }: { id: string; title: string }) => ({ value: id, label: title })

const byTitle = (search: string) =>
  ({ limit: choicesLimit, search, sort_field: 'title', sort_order: 'asc' }) as const

export const aclChoices: ChoiceSource = {
  key: aclsKey,
  list: async (search, signal) => {
    const answer = api.GET('/sip-trunks/acls', { params: { query: byTitle(search) }, signal })
    return (await dataOf(answer)).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/sip-trunks/acls/{id}', { params: { path: { id } }, signal }))),
}

export const gatewayChoices: ChoiceSource = {
  key: gatewaysKey,
  list: async (search, signal) => {
    const answer = api.GET('/sip-trunks/gateways', { params: { query: byTitle(search) }, signal })
    return (await dataOf(answer)).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/sip-trunks/gateways/{id}', { params: { path: { id } }, signal }))),
}
