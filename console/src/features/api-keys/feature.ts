import { IconKey } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'
import { apiKeysQuery } from './queries'

const apiKeysRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/api-keys',
  staticData: {
    menu: { section: 'workspace', icon: IconKey, label: () => textOf(menuTexts.apiKeys, 'title') },
  },
  ...listOf(apiKeysQuery),
  component: pageOf(async () => import('./pages/api-keys-page'), 'ApiKeysPage'),
})

export const apiKeysFeature = [apiKeysRoute] as const
