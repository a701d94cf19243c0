import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'

export type OwnSession = components['schemas']['AgentSession']
export type OwnDevice = components['schemas']['Device']

/** More than any agent has of either. */
const all = { limit: 100 }

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async ({ signal }) => dataOf(api.GET('/me/sessions', { params: { query: all }, signal })),
})

export const ownDevicesQuery = queryOptions({
  queryKey: ['own-devices'],
  queryFn: async ({ signal }) => dataOf(api.GET('/me/devices', { params: { query: all }, signal })),
})
