import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { auditLogQuery, auditSearchOf } from './queries'

const auditLogRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audit-log',
  validateSearch: auditSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(auditLogQuery(deps))),
  component: pageOf(async () => import('./pages/audit-log-page'), 'AuditLogPage'),
})

export const auditLogRoutes = [auditLogRoute] as const
