import { IconHistory } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { callEventsQuery, callQuery, callRecordingsQuery, callsQuery, callsSearchOf } from './queries'

const callsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/calls',
  staticData: {
    menu: { section: 'history', icon: IconHistory, texts: 'calls/calls' },
  },
  ...listOf(callsQuery, callsSearchOf),
  component: pageOf(async () => import('./pages/calls-page'), 'CallsPage'),
})

const callRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/calls/$id',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(callQuery(id)))
    ahead(queryClient.infiniteQuery(callEventsQuery(id)))
    ahead(queryClient.query(callRecordingsQuery(id)))
  },
  component: pageOf(async () => import('./pages/call-page'), 'CallPage'),
})

export const callsFeature = [callsRoute, callRoute] as const
