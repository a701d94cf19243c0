import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { workspaceQuery } from '../../api/workspace'
import { adminRoute } from '../../app/routes'
import { sipAccountsQuery } from './queries'

const sipAccountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sip-accounts',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    ahead(queryClient.query(sipAccountsQuery(deps)))
    ahead(queryClient.query(workspaceQuery))
  },
  component: pageOf(async () => import('./pages/sip-accounts-page'), 'SipAccountsPage'),
})

export const sipAccountsRoutes = [sipAccountsRoute] as const
