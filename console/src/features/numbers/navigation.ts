import { IconHash } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const numbersMenu = menuTexts.numbers

export const numbersNavigation: readonly NavigationItem[] = [
  {
    path: '/numbers',
    label: () => textOf(numbersMenu, 'title'),
    icon: IconHash,
    section: 'telephony',
    for: ['admin'],
  },
]
