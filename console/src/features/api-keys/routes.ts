import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
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
  component: pageOf(async () => import('./pages/api-keys-page'), 'ApiKeysPage'),
})

export const apiKeysRoutes = [apiKeysRoute] as const
