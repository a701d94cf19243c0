import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
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
  component: pageOf(async () => import('./pages/audios-page'), 'AudiosPage'),
})

export const audiosRoutes = [audiosRoute] as const
