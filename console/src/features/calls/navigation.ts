import { IconHistory } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const callsMenu = menuTexts.calls

export const callsNavigation: readonly NavigationItem[] = [
  {
    path: '/calls',
    label: () => textOf(callsMenu, 'title'),
    icon: IconHistory,
    section: 'history',
    for: ['admin'],
  },
]
