import { IconListDetails } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { auditLogQuery, auditSearchOf } from './queries'

const auditLogRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audit-log',
  staticData: {
    menu: { section: 'workspace', icon: IconListDetails, texts: 'audit-log' },
  },
  ...listOf(auditLogQuery, auditSearchOf),
  component: pageOf(async () => import('./pages/audit-log-page'), 'AuditLogPage'),
})

export const auditLogFeature = [auditLogRoute] as const
