import { IconPlugConnected } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const trunksMenu = menuTexts.trunks

export const trunksNavigation: readonly NavigationItem[] = [
  {
    path: '/trunks',
    label: () => textOf(trunksMenu, 'title'),
    icon: IconPlugConnected,
    section: 'telephony',
    for: ['admin'],
  },
]
