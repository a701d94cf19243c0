import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { usageQuery, usageSearchOf } from './queries'

const usageRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/usage',
  validateSearch: usageSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(usageQuery(deps))),
  component: pageOf(async () => import('./pages/usage-page'), 'UsagePage'),
})

export const usageRoutes = [usageRoute] as const
