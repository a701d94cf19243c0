import { IconDialpad } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const extensionsMenu = menuTexts.extensions

export const extensionsNavigation: readonly NavigationItem[] = [
  {
    path: '/extensions',
    label: () => textOf(extensionsMenu, 'title'),
    icon: IconDialpad,
    section: 'telephony',
    for: ['admin'],
  },
]
