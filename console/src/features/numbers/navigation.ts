import { IconHash } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Apart from the pages' texts, which need not be there before they are. */
export const numbersMenu = defineTexts('numbers-menu', {
  en: { title: 'Numbers' },
  de: { title: 'Rufnummern' },
})

export const numbersNavigation: readonly NavigationItem[] = [
  {
    path: '/numbers',
    label: () => textOf(numbersMenu, 'title'),
    icon: IconHash,
    section: 'telephony',
    for: ['admin'],
  },
]
