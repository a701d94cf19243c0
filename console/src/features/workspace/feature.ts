import { IconBuilding } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { workspaceQuery } from '../../api/workspace'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { creditEntriesQuery, signingSecretQuery, workspaceSearchOf } from './queries'

const workspaceRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/workspace',
  staticData: {
    menu: { section: 'workspace', icon: IconBuilding, texts: 'workspace' },
  },
  validateSearch: workspaceSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    ahead(queryClient.query(workspaceQuery))
    ahead(queryClient.query(creditEntriesQuery(deps)))
    ahead(queryClient.query(signingSecretQuery))
  },
  component: pageOf(async () => import('./pages/workspace-page'), 'WorkspacePage'),
})

export const workspaceFeature = [workspaceRoute] as const
