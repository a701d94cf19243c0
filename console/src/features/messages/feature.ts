import { IconMessage2, IconMessageOff } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { messageQuery, messagesQuery, optOutsQuery } from './queries'
import { messagesSearchOf, optOutsSearchOf } from './search'

const messagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/messages',
  staticData: {
    menu: { section: 'history', icon: IconMessage2, texts: 'messages/messages' },
  },
  ...listOf(messagesQuery, messagesSearchOf),
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
  staticData: {
    menu: { section: 'people', icon: IconMessageOff, texts: 'messages/optOuts' },
  },
  ...listOf(optOutsQuery, optOutsSearchOf),
  component: pageOf(async () => import('./pages/opt-outs-page'), 'OptOutsPage'),
})

export const messagesFeature = [messagesRoute, messageRoute, optOutsRoute] as const
