import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { agentRoute } from '../../app/routes'
import { ownDevicesQuery, ownSessionsQuery } from './queries'

const accountRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/account',
  loader: () => {
    ahead(queryClient.query(ownSessionsQuery))
    ahead(queryClient.query(ownDevicesQuery))
  },
  component: pageOf(async () => import('./pages/account-page'), 'AccountPage'),
})

export const accountFeature = [accountRoute] as const
