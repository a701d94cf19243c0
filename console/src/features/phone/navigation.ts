import { IconPhone } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { phoneMenuTexts } from './menu-texts'

export const phoneNavigation: readonly NavigationItem[] = [
  {
    path: '/phone',
    label: () => textOf(phoneMenuTexts, 'title'),
    icon: IconPhone,
    section: 'desk',
    for: ['agent'],
  },
]
