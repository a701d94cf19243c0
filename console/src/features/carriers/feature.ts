import { IconMessage2Share } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { carrierQuery, carrierStatusQuery, carriersQuery } from './queries'

const carriersRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/carriers',
  staticData: {
    menu: { section: 'platform', icon: IconMessage2Share, texts: 'carriers/carriers' },
  },
  ...listOf(carriersQuery),
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

export const carriersFeature = [carriersRoute, carrierRoute] as const
