import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { adminRoute } from '../../app/routes'
import { audiosQuery } from './queries'

const audiosRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audios',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(audiosQuery(deps))),
  component: lazyRouteComponent(async () => import('./pages/audios-page'), 'AudiosPage'),
})

export const audiosRoutes = [audiosRoute] as const
