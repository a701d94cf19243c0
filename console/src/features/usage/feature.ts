import { IconChartBar } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { usageQuery, usageSearchOf } from './queries'

const usageRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/usage',
  staticData: {
    menu: { section: 'workspace', icon: IconChartBar, texts: 'usage' },
  },
  ...listOf(usageQuery, usageSearchOf),
  component: pageOf(async () => import('./pages/usage-page'), 'UsagePage'),
})

export const usageFeature = [usageRoute] as const
