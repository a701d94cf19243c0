import { IconActivity } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { watcherRoute } from '../../app/routes'
import { boardSearchOf } from './board-search'

const liveRoute = createRoute({
  getParentRoute: () => watcherRoute,
  path: '/live',
  staticData: { menu: { section: 'desk', icon: IconActivity, texts: 'live' } },
  validateSearch: boardSearchOf,
  component: pageOf(async () => import('./pages/live-page'), 'LivePage'),
})

export const liveFeature = [liveRoute] as const
