import { IconPlugConnected } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const trunksMenu = defineTexts('trunks-menu', {
  en: { title: 'SIP trunks' },
  de: { title: 'SIP-Trunks' },
})

export const trunksNavigation: readonly NavigationItem[] = [
  {
    path: '/trunks',
    label: () => textOf(trunksMenu, 'title'),
    icon: IconPlugConnected,
    section: 'telephony',
    for: ['admin'],
  },
]
