import { IconReceipt2 } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Apart from the pages' texts, which need not be there before they are. */
export const ratesMenu = defineTexts('rates-menu', {
  en: { title: 'Rate decks' },
  de: { title: 'Preislisten' },
})

export const ratesNavigation: readonly NavigationItem[] = [
  {
    path: '/rate-decks',
    label: () => textOf(ratesMenu, 'title'),
    icon: IconReceipt2,
    section: 'platform',
    for: ['operator'],
  },
]
