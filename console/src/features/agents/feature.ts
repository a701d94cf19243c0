import { IconHeadset } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { agentQuery, agentTeamsQuery, agentsQuery, agentsSearchOf } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/agents',
  staticData: {
    menu: { section: 'people', icon: IconHeadset, texts: 'agents' },
  },
  ...listOf(agentsQuery, agentsSearchOf),
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

export const agentsFeature = [allRoute, oneRoute] as const
