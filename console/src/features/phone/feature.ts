import { IconPhone } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { ahead, queryClient } from '../../api/query-client'
import { pageOf } from '../../app/page-route'
import { agentRoute } from '../../app/routes'
import { ownTeamsQuery } from '../presence/queries'
import { callerNumbersQuery, ownCallsQuery } from './queries'

/** Prefilled number of the dial form: other pages link here with one. */
export interface PhoneSearch {
  to?: string
}

/** Longer ones are no extensions: in a URL written by hand, a plus is read as a space. */
const longestExtension = 6

export function phoneSearchOf({ to }: Record<string, unknown>): PhoneSearch {
  if (typeof to === 'number') {
    const digits = String(to)
    return { to: digits.length > longestExtension ? `+${digits}` : digits }
  }
  return typeof to === 'string' && to !== '' ? { to } : {}
}

const phoneRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/phone',
  staticData: { menu: { section: 'desk', icon: IconPhone, texts: 'phone' } },
  validateSearch: phoneSearchOf,
  loader: () => {
    ahead(queryClient.query(callerNumbersQuery))
    ahead(queryClient.query(ownCallsQuery))
    ahead(queryClient.query(ownTeamsQuery))
  },
  component: pageOf(async () => import('./pages/phone-page'), 'PhonePage'),
})

export const phoneFeature = [phoneRoute] as const
