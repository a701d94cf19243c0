import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { operatorRoute } from '../../app/routes'
import {
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
  loader: () => ahead(queryClient.query(checklistQuery)),
  component: pageOf(async () => import('./pages/checklist-page'), 'ChecklistPage'),
})

const healthRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/health',
  loader: () => ahead(queryClient.query(statusQuery)),
  component: pageOf(async () => import('./pages/health-page'), 'HealthPage'),
})

const workspacesRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/workspaces',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(workspacesQuery(deps))),
  component: pageOf(async () => import('./pages/workspaces-page'), 'WorkspacesPage'),
})

const workspaceRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/workspaces/$id',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(workspaceQuery(id)))
    ahead(queryClient.query(creditEntriesQuery(id, 1)))
    ahead(queryClient.query(numbersQuery(id, 1)))
  },
  component: pageOf(async () => import('./pages/workspace-page'), 'WorkspacePage'),
})

export const operatorRoutes = [checklistRoute, healthRoute, workspacesRoute, workspaceRoute] as const
