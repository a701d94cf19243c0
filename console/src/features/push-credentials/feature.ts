import { IconBellRinging } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { pushCredentialQuery, pushCredentialsQuery } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/push-credentials',
  staticData: {
    menu: {
      section: 'workspace',
      icon: IconBellRinging,
      texts: 'push-credentials',
    },
  },
  ...listOf(pushCredentialsQuery),
  component: pageOf(async () => import('./pages/push-credentials-page'), 'PushCredentialsPage'),
})

const oneRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/push-credentials/$id',
  loader: ({ params: { id } }) => ahead(queryClient.query(pushCredentialQuery(id))),
  component: pageOf(async () => import('./pages/push-credential-page'), 'PushCredentialPage'),
})

export const pushCredentialsFeature = [allRoute, oneRoute] as const
