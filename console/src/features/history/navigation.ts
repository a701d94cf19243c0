import { IconHistory } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const historyMenu = menuTexts.history

export const historyNavigation: readonly NavigationItem[] = [
  {
    path: '/history',
    label: () => textOf(historyMenu, 'title'),
    icon: IconHistory,
    section: 'desk',
    for: ['agent'],
  },
]
