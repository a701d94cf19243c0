import { IconHistory, IconPhoneX } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { fetched } from '../../api/fetched'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute, agentRoute } from '../../app/routes'
import {
  historyQuery,
  missedCallsQuery,
  missedSearchOf,
  ownCallQuery,
  ownCallsSearchOf,
  ownTranscriptQuery,
} from './own-calls'
import { callEventsQuery, callQuery, callRecordingsQuery, callsQuery, callsSearchOf } from './workspace-calls'

const callsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/calls',
  staticData: {
    menu: { section: 'history', icon: IconHistory, texts: 'calls/calls' },
  },
  ...listOf(callsQuery, callsSearchOf),
  component: pageOf(async () => import('./pages/calls-page'), 'CallsPage'),
})

const callRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/calls/$id',
  loader: ({ params: { id } }) => {
    ahead(queryClient.query(callQuery(id)))
    ahead(queryClient.infiniteQuery(callEventsQuery(id)))
    ahead(queryClient.query(callRecordingsQuery(id)))
  },
  component: pageOf(async () => import('./pages/call-page'), 'CallPage'),
})

const ownCallsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/history',
  staticData: {
    menu: { section: 'desk', icon: IconHistory, texts: 'calls/own' },
  },
  ...listOf(historyQuery, ownCallsSearchOf),
  component: pageOf(async () => import('./pages/own-calls-page'), 'OwnCallsPage'),
})

const ownCallRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/history/$callId',
  loader: ({ params: { callId } }) => {
    ahead(queryClient.query(ownCallQuery(callId)))
    ahead(queryClient.query(ownTranscriptQuery(callId)))
  },
  component: pageOf(async () => import('./pages/own-call-page'), 'OwnCallPage'),
})

const missedCallsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/missed',
  staticData: {
    menu: {
      section: 'desk',
      icon: IconPhoneX,
      texts: 'calls/missed',
      Badge: lazy(async () => fetched(async () => import('./components/missed-badge'))),
    },
  },
  ...listOf(missedCallsQuery, missedSearchOf),
  component: pageOf(async () => import('./pages/missed-calls-page'), 'MissedCallsPage'),
})

export const callsFeature = [callsRoute, callRoute] as const

export const ownCallsFeature = [missedCallsRoute, ownCallsRoute, ownCallRoute] as const
