import { IconHash } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { numberQuery, numbersQuery, numbersSearchOf } from './queries'

const numbersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/numbers',
  staticData: {
    menu: { section: 'telephony', icon: IconHash, texts: 'numbers' },
  },
  ...listOf(numbersQuery, numbersSearchOf),
  component: pageOf(async () => import('./pages/numbers-page'), 'NumbersPage'),
})

const numberRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/numbers/$id',
  loader: ({ params }) => ahead(queryClient.query(numberQuery(params.id))),
  component: pageOf(async () => import('./pages/number-page'), 'NumberPage'),
})

export const numbersFeature = [numbersRoute, numberRoute] as const
