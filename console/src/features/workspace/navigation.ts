import { IconBuilding } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const workspaceMenu = menuTexts.workspace

export const workspaceNavigation: readonly NavigationItem[] = [
  {
    path: '/workspace',
    label: () => textOf(workspaceMenu, 'title'),
    icon: IconBuilding,
    section: 'workspace',
    for: ['admin'],
  },
]
