import { IconDialpad } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { extensionsQuery, extensionsSearchOf } from './queries'

const extensionsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/extensions',
  staticData: {
    menu: { section: 'telephony', icon: IconDialpad, texts: 'extensions' },
  },
  ...listOf(extensionsQuery, extensionsSearchOf),
  component: pageOf(async () => import('./pages/extensions-page'), 'ExtensionsPage'),
})

export const extensionsFeature = [extensionsRoute] as const
