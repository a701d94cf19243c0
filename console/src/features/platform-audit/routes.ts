import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { platformAuditQuery } from './queries'
import { platformSearchOf } from './search'

const platformAuditRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/audit-log',
  validateSearch: platformSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(platformAuditQuery(deps))),
  component: pageOf(async () => import('./pages/platform-audit-page'), 'PlatformAuditPage'),
})

export const platformAuditRoutes = [platformAuditRoute] as const
