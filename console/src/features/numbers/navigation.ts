import { IconHash } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
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
