import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { gatewaysSearchOf, platformGatewaysQuery } from './queries'

const platformGatewaysRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/gateways',
  validateSearch: gatewaysSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(platformGatewaysQuery(deps))),
  component: pageOf(async () => import('./pages/platform-gateways-page'), 'PlatformGatewaysPage'),
})

export const platformGatewaysRoutes = [platformGatewaysRoute] as const
