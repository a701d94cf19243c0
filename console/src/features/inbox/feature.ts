import { IconMessages, IconTemplate } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { agentRoute, supervisorRoute } from '../../app/routes'
import { cannedRepliesQuery, conversationsQuery, messagesQuery, notesQuery } from './queries'
import { filterOf, inboxSearchOf } from './search'

const inboxRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/inbox',
  staticData: {
    menu: { section: 'desk', icon: IconMessages, texts: 'inbox/inbox' },
  },
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
  staticData: {
    menu: { section: 'desk', icon: IconTemplate, texts: 'inbox/cannedReplies' },
  },
  ...listOf(cannedRepliesQuery),
  component: pageOf(async () => import('./pages/canned-replies-page'), 'CannedRepliesPage'),
})

export const inboxFeature = [inboxRoute, cannedRepliesRoute] as const
