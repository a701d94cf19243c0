import { IconChartBar } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { usageTexts } from './texts'

export const usageNavigation: readonly NavigationItem[] = [
  {
    path: '/usage',
    label: () => textOf(usageTexts, 'title'),
    icon: IconChartBar,
    section: 'workspace',
    for: ['admin'],
  },
]
