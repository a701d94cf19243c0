import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { messageQuery, messagesQuery, optOutsQuery } from './queries'
import { messagesSearchOf, optOutsSearchOf } from './search'

const messagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/messages',
  validateSearch: messagesSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(messagesQuery(deps))),
  component: pageOf(async () => import('./pages/messages-page'), 'MessagesPage'),
})

const messageRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/messages/$id',
  loader: ({ params: { id } }) => ahead(queryClient.query(messageQuery(id))),
  component: pageOf(async () => import('./pages/message-page'), 'MessagePage'),
})

const optOutsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/opt-outs',
  validateSearch: optOutsSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ahead(queryClient.query(optOutsQuery(deps))),
  component: pageOf(async () => import('./pages/opt-outs-page'), 'OptOutsPage'),
})

export const messagesRoutes = [messagesRoute, messageRoute, optOutsRoute] as const
