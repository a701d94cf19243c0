import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { agentQuery, agentTeamsQuery, agentsQuery, agentsSearchOf } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/agents',
  validateSearch: agentsSearchOf,
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
