import { IconChartBar } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const usageMenu = menuTexts.usage

export const usageNavigation: readonly NavigationItem[] = [
  {
    path: '/usage',
    label: () => textOf(usageMenu, 'title'),
    icon: IconChartBar,
    section: 'workspace',
    for: ['admin'],
  },
]
