/** The cache of what the API answered. Pages show what is known at once, and what is new when it comes. */
import { QueryClient } from '@tanstack/react-query'
import { onPersonChange } from '../session/session'
import { connectionNow, onConnectionChange } from './connection'
import { isRetried, retryDelay, watchTrouble } from './trouble'

/** What was asked for so recently is not asked for again when a page is opened. */
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

/** Options of a query for a file's content: it never changes, and who listens to it would begin anew. */
export const ofFile = {
  meta: { isFile: true },
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** Has everything that is shown asked for anew: what has happened meanwhile was not told. */
export function askAnew(): void {
  void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isFile'] !== true })
}

onConnectionChange(() => {
  if (connectionNow() === 'up') askAnew()
})

// What one person has seen is not for the next.
onPersonChange(() => queryClient.clear())

/**
 * For loaders: what a page will show is asked for while its code is on its way. What goes wrong is shown by the page.
 * `loader: ({ deps }) => ahead(queryClient.query(agentsQuery(deps)))`
 */
export function ahead(asked: Promise<unknown>): void {
  asked.catch(() => undefined)
}
