import { IconDeviceLandlinePhone } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { workspaceQuery } from '../../api/workspace'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'
import { sipAccountsQuery } from './queries'

const sipAccountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sip-accounts',
  staticData: {
    menu: {
      section: 'telephony',
      icon: IconDeviceLandlinePhone,
      label: () => textOf(menuTexts.sipAccounts, 'title'),
    },
  },
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    ahead(queryClient.query(sipAccountsQuery(deps)))
    ahead(queryClient.query(workspaceQuery))
  },
  component: pageOf(async () => import('./pages/sip-accounts-page'), 'SipAccountsPage'),
})

export const sipAccountsFeature = [sipAccountsRoute] as const
