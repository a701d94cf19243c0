import { IconAlertTriangle } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute, operatorRoute } from '../../app/routes'
import { alertsQuery, alertsSearchOf, platformAlertsQuery } from './queries'

const alertsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/alerts',
  staticData: {
    menu: { section: 'workspace', icon: IconAlertTriangle, texts: 'alerts' },
  },
  ...listOf(alertsQuery, alertsSearchOf),
  component: pageOf(async () => import('./pages/alerts-page'), 'AlertsPage'),
})

const platformAlertsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/alerts',
  staticData: {
    menu: { section: 'platform', icon: IconAlertTriangle, texts: 'alerts' },
  },
  ...listOf(platformAlertsQuery, alertsSearchOf),
  component: pageOf(async () => import('./pages/platform-alerts-page'), 'PlatformAlertsPage'),
})

export const alertsFeature = [alertsRoute, platformAlertsRoute] as const
