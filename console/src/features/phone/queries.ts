import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'

export type AgentCall = components['schemas']['OwnCall']

export const ownCallsKey = ['own-calls'] as const

export const ownCallsQuery = queryOptions({
  queryKey: ownCallsKey,
  queryFn: async ({ signal }) =>
    dataOf(api.GET('/call-center/calls', { params: { query: { page: 1, limit: 10 } }, signal })),
})

/** Numbers that the agent may use as caller id. */
export const callerNumbersQuery = queryOptions({
  queryKey: ['caller-numbers'],
  queryFn: async ({ signal }) => {
    const query = { page: 1, limit: 100, sort_order: 'asc' as const }
    const { data } = await dataOf(api.GET('/call-center/phone-numbers', { params: { query }, signal }))
    return data.filter(({ enable_outbound }) => enable_outbound)
  },
  staleTime: 60_000,
})
