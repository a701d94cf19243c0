import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { type ListSearch, listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { agentRoute } from '../../app/routes'
import { callQuery, historyQuery, transcriptQuery } from './queries'

/** A team's calls, or the agent's own by default. */
export type HistorySearch = Pick<ListSearch, 'page' | 'limit'> & { team?: string }

function historySearchOf(search: Record<string, unknown>): HistorySearch {
  const { page, limit } = listSearchOf(search)
  const team = search['team']
  return { ...(page && { page }), ...(limit && { limit }), ...(typeof team === 'string' && team && { team }) }
}

const historyRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/history',
  validateSearch: historySearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(historyQuery(deps))),
  component: pageOf(async () => import('./pages/history-page'), 'HistoryPage'),
})

const callRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/history/$callId',
  loader: ({ params: { callId } }) => {
    ahead(queryClient.query(callQuery(callId)))
    ahead(queryClient.query(transcriptQuery(callId)))
  },
  component: pageOf(async () => import('./pages/call-page'), 'CallPage'),
})

export const historyRoutes = [historyRoute, callRoute] as const
