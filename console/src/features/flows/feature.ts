import { IconSitemap } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { wordOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { type Beginning, beginnings } from './beginnings'
import { flowQuery, flowsQuery, flowsSearchOf, nodeTypesQuery } from './queries'

const flowsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/flows',
  staticData: {
    menu: { section: 'automation', icon: IconSitemap, texts: 'flows/flows' },
  },
  ...listOf(flowsQuery, flowsSearchOf),
  component: pageOf(async () => import('./pages/flows-page'), 'FlowsPage'),
})

/** View of the editor: a drawing, or a list of steps. */
export interface FlowSearch {
  view?: 'list' | 'drawing'
}

const newFlowRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/flows/new',
  validateSearch: (search: Record<string, unknown>): { template?: Beginning } => {
    const template = wordOf(search['template'], beginnings)
    return template ? { template } : {}
  },
  loader: () => ahead(queryClient.query(nodeTypesQuery)),
  component: pageOf(async () => import('./pages/new-flow-page'), 'NewFlowPage'),
})

const flowRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/flows/$flowId',
  validateSearch: (search: Record<string, unknown>): FlowSearch => {
    const view = wordOf(search['view'], ['list', 'drawing'])
    return view ? { view } : {}
  },
  loader: ({ params }) => {
    ahead(queryClient.query(nodeTypesQuery))
    ahead(queryClient.query(flowQuery(params.flowId)))
  },
  component: pageOf(async () => import('./pages/flow-page'), 'FlowPage'),
})

export const flowsFeature = [flowsRoute, newFlowRoute, flowRoute] as const
