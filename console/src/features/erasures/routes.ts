import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { erasuresQuery, erasuresSearchOf } from './queries'

const erasuresRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/erasures',
  validateSearch: erasuresSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(erasuresQuery(deps))),
  component: pageOf(async () => import('./pages/erasures-page'), 'ErasuresPage'),
})

export const erasuresRoutes = [erasuresRoute] as const
