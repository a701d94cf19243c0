import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'

export type ListedFlow = components['schemas']['ListedCallFlow']
export type Flow = components['schemas']['CallFlow']
export type FlowVersion = components['schemas']['ListedCallFlowVersion']
export type Trigger = Flow['trigger_type']

/** Query keys to invalidate when a flow is created, changed or deleted. */
export const flowsKey = ['call-flows'] as const

export interface FlowsSearch extends ListSearch {
  trigger?: Trigger
}

export const flowsQuery = (search: FlowsSearch) =>
  queryOptions({
    queryKey: [...flowsKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/call-flows', {
          params: {
            query: {
              ...listQueryOf(search, ['created_at', 'title']),
              ...(search.trigger && { trigger_type: search.trigger }),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const flowQuery = (id: string) =>
  queryOptions({
    queryKey: [...flowsKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/call-flows/{id}', { params: { path: { id } }, signal })),
    // No background refetch: it would change the flow under the editor. Saving refetches it.
    staleTime: Infinity,
    gcTime: 0,
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
