import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { apiKeysQuery } from './queries'

const apiKeysRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/api-keys',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(apiKeysQuery(deps))),
  component: lazyRouteComponent(async () => import('./pages/api-keys-page'), 'ApiKeysPage'),
})

export const apiKeysRoutes = [apiKeysRoute] as const
