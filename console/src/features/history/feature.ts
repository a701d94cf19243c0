import { IconHistory } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { agentRoute } from '../../app/routes'
import { callQuery, historyQuery, transcriptQuery } from './queries'
import { historySearchOf } from './search'

const historyRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/history',
  staticData: {
    menu: { section: 'desk', icon: IconHistory, texts: 'history' },
  },
  ...listOf(historyQuery, historySearchOf),
  component: pageOf(async () => import('./pages/history-page'), 'HistoryPage'),
})

const callRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/history/$callId',
  loader: ({ params: { callId } }) => {
    ahead(queryClient.query(callQuery(callId)))
    ahead(queryClient.query(transcriptQuery(callId)))
  },
  component: pageOf(async () => import('./pages/call-page'), 'CallPage'),
})

export const historyFeature = [historyRoute, callRoute] as const
