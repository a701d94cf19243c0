import { IconBuilding, IconHeartbeat, IconListCheck } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import {
  administratorsQuery,
  checklistQuery,
  creditEntriesQuery,
  numbersQuery,
  statusQuery,
  workspaceQuery,
  workspacesQuery,
} from './queries'

const checklistRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/checklist',
  staticData: {
    menu: { section: 'platform', icon: IconListCheck, texts: 'operator/checklist' },
  },
  loader: () => ahead(queryClient.query(checklistQuery)),
  component: pageOf(async () => import('./pages/checklist-page'), 'ChecklistPage'),
})

const healthRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/health',
  staticData: {
    menu: { section: 'platform', icon: IconHeartbeat, texts: 'operator/health' },
  },
  loader: () => ahead(queryClient.query(statusQuery)),
  component: pageOf(async () => import('./pages/health-page'), 'HealthPage'),
})

const workspacesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/workspaces',
  staticData: {
    menu: { section: 'platform', icon: IconBuilding, texts: 'operator/workspaces' },
  },
  ...listOf(workspacesQuery),
  component: pageOf(async () => import('./pages/workspaces-page'), 'WorkspacesPage'),
})

const workspaceRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/workspaces/$id',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(workspaceQuery(id)))
    ahead(queryClient.query(creditEntriesQuery(id, 1)))
    ahead(queryClient.query(numbersQuery(id, 1)))
    ahead(queryClient.query(administratorsQuery(id)))
  },
  component: pageOf(async () => import('./pages/workspace-page'), 'WorkspacePage'),
})

export const operatorFeature = [checklistRoute, workspacesRoute, workspaceRoute] as const

/** By itself: in the menu it comes below what it is about. */
export const healthFeature = [healthRoute] as const
