/** The workspace, for the defaults of forms. */
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client'

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => dataOf(api.GET('/profile', { signal })),
  staleTime: 60_000,
})
