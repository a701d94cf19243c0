import { IconDeviceLandlinePhone } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { workspaceQuery } from '../../api/workspace'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { sipAccountsQuery, sipAccountsSearchOf } from './queries'

const list = listOf(sipAccountsQuery, sipAccountsSearchOf)

const sipAccountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sip-accounts',
  staticData: {
    menu: {
      section: 'telephony',
      icon: IconDeviceLandlinePhone,
      texts: 'sip-accounts',
    },
  },
  ...list,
  loader: (route) => {
    ahead(queryClient.query(workspaceQuery))
    return list.loader(route)
  },
  component: pageOf(async () => import('./pages/sip-accounts-page'), 'SipAccountsPage'),
})

export const sipAccountsFeature = [sipAccountsRoute] as const
