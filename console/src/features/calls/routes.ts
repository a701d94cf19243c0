import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { callEventsQuery, callQuery, callRecordingsQuery, callsQuery, callsSearchOf } from './queries'

const callsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/calls',
  validateSearch: callsSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(callsQuery(deps))),
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

export const callsRoutes = [callsRoute, callRoute] as const
