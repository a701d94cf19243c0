import { createRoute } from '@tanstack/react-router'
import { pageOf } from '../../app/page-route'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { agentRoute, supervisorRoute } from '../../app/routes'
import { cannedRepliesQuery, conversationsQuery, messagesQuery, notesQuery } from './queries'
import { filterOf, inboxSearchOf } from './search'

const inboxRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/inbox',
  validateSearch: inboxSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    ahead(queryClient.infiniteQuery(conversationsQuery(filterOf(deps))))
    if (!deps.conversation) return
    ahead(queryClient.infiniteQuery(messagesQuery(deps.conversation)))
    ahead(queryClient.query(notesQuery(deps.conversation)))
  },
  component: pageOf(async () => import('./pages/inbox-page'), 'InboxPage'),
})

const cannedRepliesRoute = createRoute({
  getParentRoute: () => supervisorRoute,
  path: '/canned-replies',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(cannedRepliesQuery(deps))),
  component: pageOf(async () => import('./pages/canned-replies-page'), 'CannedRepliesPage'),
})

export const inboxRoutes = [inboxRoute] as const
export const cannedRepliesRoutes = [cannedRepliesRoute] as const
