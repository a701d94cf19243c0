import { IconKey } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { apiKeysQuery } from './queries'

const apiKeysRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/api-keys',
  staticData: {
    menu: { section: 'workspace', icon: IconKey, texts: 'api-keys' },
  },
  ...listOf(apiKeysQuery),
  component: pageOf(async () => import('./pages/api-keys-page'), 'ApiKeysPage'),
})

export const apiKeysFeature = [apiKeysRoute] as const
