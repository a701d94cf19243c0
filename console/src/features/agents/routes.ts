import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf, wordOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { type AgentsSearch, agentQuery, agentStates, agentTeamsQuery, agentsQuery } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/agents',
  validateSearch: (search: Record<string, unknown>): AgentsSearch => {
    const state = wordOf(search['state'], agentStates)
    return { ...listSearchOf(search), ...(state && { state }) }
  },
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(agentsQuery(deps))),
  component: pageOf(async () => import('./pages/agents-page'), 'AgentsPage'),
})

const oneRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/agents/$id',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(agentQuery(id)))
    ahead(queryClient.query(agentTeamsQuery(id)))
  },
  component: pageOf(async () => import('./pages/agent-page'), 'AgentPage'),
})

export const agentsRoutes = [allRoute, oneRoute] as const
