import { IconListDetails } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { auditLogMenuTexts } from './menu-texts'

export const auditLogNavigation: readonly NavigationItem[] = [
  {
    path: '/audit-log',
    label: () => textOf(auditLogMenuTexts, 'title'),
    icon: IconListDetails,
    section: 'workspace',
    for: ['admin'],
  },
]
