import { IconHistory } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { historyMenuTexts } from './menu-texts'

export const historyNavigation: readonly NavigationItem[] = [
  {
    path: '/history',
    label: () => textOf(historyMenuTexts, 'title'),
    icon: IconHistory,
    section: 'desk',
    for: ['agent'],
  },
]
