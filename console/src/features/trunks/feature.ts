import { IconPlugConnected } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { type ListSearch, listSearchOf, wordOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { aclsQuery, gatewaysQuery } from './queries'

/** Which of the two lists is shown: the access lists by default. */
export type TrunksSearch = ListSearch & { view?: 'gateways' }

const trunksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/trunks',
  staticData: {
    menu: { section: 'telephony', icon: IconPlugConnected, texts: 'trunks/trunks' },
  },
  validateSearch: (search: Record<string, unknown>): TrunksSearch => {
    const view = wordOf(search['view'], ['gateways'])
    return { ...listSearchOf(search), ...(view && { view }) }
  },
  loaderDeps: ({ search }) => search,
  loader: ({ deps: { view, ...search } }) => {
    if (view) ahead(queryClient.query(gatewaysQuery(search)))
    else ahead(queryClient.query(aclsQuery(search)))
  },
  component: pageOf(async () => import('./pages/trunks-page'), 'TrunksPage'),
})

export const trunksFeature = [trunksRoute] as const
