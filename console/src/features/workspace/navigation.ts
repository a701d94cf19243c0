import { IconBuilding } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { workspaceMenuTexts } from './menu-texts'

export const workspaceNavigation: readonly NavigationItem[] = [
  {
    path: '/workspace',
    label: () => textOf(workspaceMenuTexts, 'title'),
    icon: IconBuilding,
    section: 'workspace',
    for: ['admin'],
  },
]
