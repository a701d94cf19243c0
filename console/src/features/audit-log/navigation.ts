import { IconListDetails } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const auditLogMenu = menuTexts.auditLog

export const auditLogNavigation: readonly NavigationItem[] = [
  {
    path: '/audit-log',
    label: () => textOf(auditLogMenu, 'title'),
    icon: IconListDetails,
    section: 'workspace',
    for: ['admin'],
  },
]
