import { IconDialpad } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const extensionsMenu = defineTexts('extensions-menu', {
  en: { title: 'Extensions' },
  de: { title: 'Nebenstellen' },
})

export const extensionsNavigation: readonly NavigationItem[] = [
  {
    path: '/extensions',
    label: () => textOf(extensionsMenu, 'title'),
    icon: IconDialpad,
    section: 'telephony',
    for: ['admin'],
  },
]
