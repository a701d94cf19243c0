import { IconListDetails } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const platformAuditMenu = menuTexts.platformAudit

export const platformAuditNavigation: readonly NavigationItem[] = [
  {
    path: '/platform/audit-log',
    label: () => textOf(platformAuditMenu, 'title'),
    icon: IconListDetails,
    section: 'platform',
    for: ['operator'],
  },
]
