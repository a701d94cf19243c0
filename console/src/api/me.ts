/** The signed-in user, as far as pages depend on it. */
import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { api } from './client'

export type Agent = components['schemas']['Agent']
export type Me = components['schemas']['Me']

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => dataOf(api.GET('/me', { signal })),
  staleTime: 60_000,
})

/** The signed-in agent; undefined for others, and until it is known. */
export function useMe(): Agent | undefined {
  const session = useSession()
  return useQuery({ ...meQuery, enabled: session?.kind === 'agent' }).data
}
