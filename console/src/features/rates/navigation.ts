import { IconReceipt2 } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
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
