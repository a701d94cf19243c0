import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute, operatorRoute } from '../../app/routes'
import { alertsQuery, alertsSearchOf, platformAlertsQuery } from './queries'

const alertsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/alerts',
  validateSearch: alertsSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(alertsQuery(deps))),
  component: pageOf(async () => import('./pages/alerts-page'), 'AlertsPage'),
})

const platformAlertsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/alerts',
  validateSearch: alertsSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(platformAlertsQuery(deps))),
  component: pageOf(async () => import('./pages/platform-alerts-page'), 'PlatformAlertsPage'),
})

export const alertsRoutes = [alertsRoute] as const
export const platformAlertsRoutes = [platformAlertsRoute] as const
