import { IconReceipt2 } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const ratesMenu = menuTexts.rates

export const ratesNavigation: readonly NavigationItem[] = [
  {
    path: '/rate-decks',
    label: () => textOf(ratesMenu, 'title'),
    icon: IconReceipt2,
    section: 'platform',
    for: ['operator'],
  },
]
