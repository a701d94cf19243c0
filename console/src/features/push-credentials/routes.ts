import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { pushCredentialQuery, pushCredentialsQuery } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/push-credentials',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(pushCredentialsQuery(deps))),
  component: pageOf(async () => import('./pages/push-credentials-page'), 'PushCredentialsPage'),
})

const oneRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/push-credentials/$id',
  loader: ({ params: { id } }) => ahead(queryClient.query(pushCredentialQuery(id))),
  component: pageOf(async () => import('./pages/push-credential-page'), 'PushCredentialPage'),
})

export const pushCredentialsRoutes = [allRoute, oneRoute] as const
