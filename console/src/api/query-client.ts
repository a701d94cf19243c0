/** Cache of API responses. Pages show cached data at once and update when new data arrives. */
import { QueryClient } from '@tanstack/react-query'
import { onPersonChange } from '../session/session'
import { connectionNow, onConnectionChange } from './connection'
import { isRetried, retryDelay, watchTrouble } from './trouble'

/** Data younger than this is not fetched again when a page opens. */
const freshMs = 10_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      networkMode: 'always',
      retry: isRetried,
      retryDelay,
    },
    mutations: { networkMode: 'always' },
  },
})

watchTrouble(queryClient.getQueryCache())

/**
 * Query options for what stays as it was read: a file's content, which never changes and would play from its
 * beginning, and what is being edited, which new data would change under the person who edits it.
 */
export const asRead = {
  meta: { isAsRead: true },
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** Refetches everything on screen: events may have been missed. */
export function askAnew(): void {
  void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isAsRead'] !== true })
}

onConnectionChange(() => {
  if (connectionNow() === 'up') askAnew()
})

// The next user must not see the previous user's data.
onPersonChange(() => queryClient.clear())

/**
 * For loaders: what a page will show is asked for while its code is on its way. What goes wrong is shown by the page.
 * `loader: ({ deps }) => ahead(queryClient.query(agentsQuery(deps)))`
 */
export function ahead(asked: Promise<unknown>): void {
  asked.catch(() => undefined)
}
