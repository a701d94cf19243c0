import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { carriersKey, checklistKey, workspacesKey } from '../../api/platform'
import { listQuery } from '../../api/resources'

type Schemas = components['schemas']
export type Workspace = Schemas['Workspace']
export type PlatformStatus = Schemas['OperatorStatus']
export type Checklist = Schemas['OperatorChecklist']
export type ChecklistItem = Checklist['items'][number]

export const checklistQuery = queryOptions({
  queryKey: checklistKey,
  queryFn: async ({ signal }) => dataOf(api.GET('/operator/checklist', { signal })),
})

export const statusQuery = queryOptions({
  queryKey: ['platform', 'status'],
  queryFn: async ({ signal }) => dataOf(api.GET('/operator/status', { signal })),
})

export const workspacesQuery = listQuery('/workspaces', ['created_at', 'title', 'id'])

export const administratorsKey = (id: string) => [...workspacesKey, 'administrators', id] as const

export const administratorsQuery = (id: string) =>
  queryOptions({
    queryKey: administratorsKey(id),
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/workspaces/{id}/administrators', {
          params: { path: { id }, query: { limit: 100 } },
          signal,
        }),
      ),
  })

/** Fetched together, so that balance and ledger agree. */
const together = 0

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: [...workspacesKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/workspaces/{id}', { params: { path: { id } }, signal })),
    staleTime: together,
  })

export const creditEntriesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...workspacesKey, 'credit', id, page],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/workspaces/{id}/credit/entries', {
          params: { path: { id }, query: { page, limit: 10 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: together,
  })

export const numbersQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...workspacesKey, 'numbers', id, page],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/workspaces/{id}/phone-numbers', {
          params: { path: { id }, query: { page, limit: 10 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const numberOriginatorsQuery = (workspace_id: string, id: string) =>
  queryOptions({
    queryKey: [...carriersKey, 'originators', id],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/workspaces/{workspace_id}/phone-numbers/{id}/originators', {
          params: { path: { workspace_id, id } },
          signal,
        }),
      ),
  })

export const numberCarriersQuery = (workspace_id: string, id: string) =>
  queryOptions({
    queryKey: [...carriersKey, 'number', id],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/workspaces/{workspace_id}/phone-numbers/{id}/carriers', {
          params: { path: { workspace_id, id } },
          signal,
        }),
      ),
  })
