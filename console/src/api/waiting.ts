/** What waits for the agent: shown beside entries of the menu. */
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client'

export const waitingKey = ['waiting'] as const

export const waitingQuery = queryOptions({
  queryKey: waitingKey,
  queryFn: async ({ signal }) => dataOf(api.GET('/call-center/waiting', { signal })),
})
