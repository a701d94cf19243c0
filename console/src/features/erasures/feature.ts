import { IconEraser } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { erasuresQuery, erasuresSearchOf } from './queries'

const erasuresRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/erasures',
  staticData: {
    menu: { section: 'people', icon: IconEraser, texts: 'erasures' },
  },
  ...listOf(erasuresQuery, erasuresSearchOf),
  component: pageOf(async () => import('./pages/erasures-page'), 'ErasuresPage'),
})

export const erasuresFeature = [erasuresRoute] as const
