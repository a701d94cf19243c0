import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'

export type Overview = components['schemas']['Overview']

export const overviewKey = ['overview'] as const

/** The figures grow old while the page is open. */
const askedEveryMs = 15_000

/** Midnight of the browser's zone. */
function dayBegan(): string {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  return day.toISOString()
}

export const overviewQuery = queryOptions({
  queryKey: overviewKey,
  queryFn: async ({ signal }) =>
    dataOf(api.GET('/overview', { params: { query: { since: dayBegan() } }, signal })),
  refetchInterval: askedEveryMs,
  staleTime: 0,
})
