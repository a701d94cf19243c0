import { IconListDetails } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { platformAuditQuery } from './queries'
import { platformSearchOf } from './search'

const platformAuditRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/audit-log',
  staticData: {
    menu: {
      section: 'platform',
      icon: IconListDetails,
      texts: 'platform-audit',
    },
  },
  ...listOf(platformAuditQuery, platformSearchOf),
  component: pageOf(async () => import('./pages/platform-audit-page'), 'PlatformAuditPage'),
})

export const platformAuditFeature = [platformAuditRoute] as const
