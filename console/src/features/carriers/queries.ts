import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'
import { carriersKey } from '../../api/platform'

type Schemas = components['schemas']
export type Carrier = Schemas['Carrier']
export type CarrierStatus = Schemas['CarrierStatus']

export const carriersQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...carriersKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/carriers', { params: { query: listQueryOf(search, ['created_at', 'title']) }, signal }),
      ),
    placeholderData: keepPreviousData,
  })

export const carrierQuery = (id: string) =>
  queryOptions({
    queryKey: [...carriersKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/carriers/{id}', { params: { path: { id } }, signal })),
  })

export const carrierStatusQuery = (id: string) =>
  queryOptions({
    queryKey: [...carriersKey, 'status', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/carriers/{id}/status', { params: { path: { id } }, signal })),
  })
