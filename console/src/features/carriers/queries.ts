import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch } from '../../api/lists'
import { askedEveryMs, carriersKey } from '../../api/platform'
import { listQuery } from '../../api/resources'

type Schemas = components['schemas']
export type Carrier = Schemas['Carrier']
export type CarrierStatus = Schemas['CarrierStatus']

const carrierList = listQuery('/carriers', ['created_at', 'title'])

export const carriersQuery = (search: ListSearch) =>
  queryOptions({
    ...carrierList(search),
    refetchInterval: askedEveryMs,
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
