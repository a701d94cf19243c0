import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { extensionsQuery } from './queries'

const extensionsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/extensions',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(extensionsQuery(deps))),
  component: lazyRouteComponent(async () => import('./pages/extensions-page'), 'ExtensionsPage'),
})

export const extensionsRoutes = [extensionsRoute] as const
