import { IconMessage2Share } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const carriersMenu = defineTexts('carriers-menu', {
  en: { title: 'SMS carriers' },
  de: { title: 'SMS-Carrier' },
})

export const carriersNavigation: readonly NavigationItem[] = [
  {
    path: '/carriers',
    label: () => textOf(carriersMenu, 'title'),
    icon: IconMessage2Share,
    section: 'platform',
    for: ['operator'],
  },
]
