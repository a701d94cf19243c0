import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { ahead, queryClient } from '../../api/query-client'
import { agentRoute } from '../../app/routes'
import { ownTeamsQuery } from '../presence/queries'
import { callerNumbersQuery, ownCallsQuery } from './queries'

const phoneRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/phone',
  loader: () => {
    ahead(queryClient.query(callerNumbersQuery))
    ahead(queryClient.query(ownCallsQuery))
    ahead(queryClient.query(ownTeamsQuery))
  },
  component: pageOf(async () => import('./pages/phone-page'), 'PhonePage'),
})

export const phoneRoutes = [phoneRoute] as const
