import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { watcherRoute } from '../../app/routes'
import { boardSearchOf } from './board-search'

const liveRoute = createRoute({
  getParentRoute: () => watcherRoute,
  path: '/live',
  validateSearch: boardSearchOf,
  component: lazyRouteComponent(async () => import('./pages/live-page'), 'LivePage'),
})

export const liveRoutes = [liveRoute] as const
