import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { isStatus } from '../../api/errors'
import { type ListSearch, listSearchOf, wordOf } from '../../api/lists'
import { asRead } from '../../api/query-client'
import { keyOf, listQuery } from '../../api/resources'

export type ListedFlow = components['schemas']['ListedCallFlow']
export type Flow = components['schemas']['CallFlow']
export type FlowDraft = components['schemas']['CallFlowDraft']
export type FlowVersion = components['schemas']['ListedCallFlowVersion']
export type Trigger = Flow['trigger_type']

export const triggers = ['inbound', 'outbound'] as const satisfies readonly Trigger[]

export const triggerOf = (word: unknown) => wordOf(word, triggers)

/** Query keys to invalidate when a flow is created, changed or deleted. */
export const flowsKey = keyOf('/call-flows')

export interface FlowsSearch extends ListSearch {
  trigger?: Trigger
}

/** Parses the list's URL. */
export function flowsSearchOf(search: Record<string, unknown>): FlowsSearch {
  const trigger = triggerOf(search['trigger'])
  return { ...listSearchOf(search), ...(trigger && { trigger }) }
}

export const flowsQuery = listQuery('/call-flows', ['created_at', 'title'], ({ trigger }: FlowsSearch) => ({
  ...(trigger && { trigger_type: trigger }),
}))

export const flowQuery = (id: string) =>
  queryOptions({
    queryKey: [...flowsKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/call-flows/{id}', { params: { path: { id } }, signal })),
    ...asRead,
    gcTime: 0,
  })

/** Null when there is none, or no more. */
export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: [...flowsKey, 'draft', id],
    queryFn: async ({ signal }): Promise<FlowDraft | null> => {
      try {
        return await dataOf(api.GET('/call-flows/{id}/draft', { params: { path: { id } }, signal }))
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
    ...asRead,
    gcTime: 0,
  })

/** All numbers of the workspace, and the flows that have their calls. */
export const numbersOfFlowsQuery = queryOptions({
  queryKey: [...flowsKey, 'numbers'],
  queryFn: async ({ signal }) =>
    dataOf(api.GET('/phone-numbers', { params: { query: { limit: 100, sort_field: 'title' } }, signal })),
  staleTime: 0,
})

/** The types of steps that the server has. */
export const nodeTypesQuery = queryOptions({
  queryKey: ['call-flow-node-types'],
  queryFn: async ({ signal }) => (await dataOf(api.GET('/call-flows/node-types', { signal }))).data,
  staleTime: Infinity,
})

/** Stored versions, newest first: fifty, and those that live calls run. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...flowsKey, 'versions', id],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/call-flows/{id}/versions', { params: { path: { id }, query: { limit: 100 } }, signal }),
      ),
    staleTime: 0,
  })

export const versionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: [...flowsKey, 'version', id, version],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/call-flows/{id}/versions/{version}', { params: { path: { id, version } }, signal })),
    staleTime: Infinity,
  })
