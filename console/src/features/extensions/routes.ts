import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
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
  component: pageOf(async () => import('./pages/extensions-page'), 'ExtensionsPage'),
})

export const extensionsRoutes = [extensionsRoute] as const
