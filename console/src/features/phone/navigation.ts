import { IconPhone } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const phoneMenu = menuTexts.phone

export const phoneNavigation: readonly NavigationItem[] = [
  {
    path: '/phone',
    label: () => textOf(phoneMenu, 'title'),
    icon: IconPhone,
    section: 'desk',
    for: ['agent'],
  },
]
