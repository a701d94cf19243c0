import { createRoute } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { carrierQuery, carrierStatusQuery, carriersQuery } from './queries'

const carriersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/carriers',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(carriersQuery(deps))),
  component: pageOf(async () => import('./pages/carriers-page'), 'CarriersPage'),
})

const carrierRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/carriers/$id',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(carrierQuery(id)))
    ahead(queryClient.query(carrierStatusQuery(id)))
  },
  component: pageOf(async () => import('./pages/carrier-page'), 'CarrierPage'),
})

export const carriersRoutes = [carriersRoute, carrierRoute] as const
