import { IconBuilding, IconHeartbeat, IconListCheck } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const operatorMenu = menuTexts.operator

const platform = { section: 'platform', for: ['operator'] } as const

export const operatorNavigation: readonly NavigationItem[] = [
  {
    ...platform,
    path: '/platform/checklist',
    label: () => textOf(operatorMenu, 'checklist'),
    icon: IconListCheck,
  },
  { ...platform, path: '/workspaces', label: () => textOf(operatorMenu, 'workspaces'), icon: IconBuilding },
]

/** Indented below its subject. */
export const healthNavigation: readonly NavigationItem[] = [
  {
    ...platform,
    path: '/platform/health',
    label: () => textOf(operatorMenu, 'health'),
    icon: IconHeartbeat,
  },
]
