import { IconBuilding, IconHeartbeat, IconListCheck } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { operatorTexts } from './texts'

const platform = { section: 'platform', for: ['operator'] } as const

export const operatorNavigation: readonly NavigationItem[] = [
  {
    ...platform,
    path: '/platform/checklist',
    label: () => textOf(operatorTexts, 'checklist'),
    icon: IconListCheck,
  },
  { ...platform, path: '/workspaces', label: () => textOf(operatorTexts, 'workspaces'), icon: IconBuilding },
]

/** Indented below its subject. */
export const healthNavigation: readonly NavigationItem[] = [
  {
    ...platform,
    path: '/platform/health',
    label: () => textOf(operatorTexts, 'health'),
    icon: IconHeartbeat,
  },
]
