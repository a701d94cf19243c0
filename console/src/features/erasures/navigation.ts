import { IconEraser } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the page's texts, which load later. */
export const erasuresMenu = defineTexts('erasures-menu', {
  en: { title: 'Erasures' },
  de: { title: 'Löschungen' },
})

export const erasuresNavigation: readonly NavigationItem[] = [
  {
    path: '/erasures',
    label: () => textOf(erasuresMenu, 'title'),
    icon: IconEraser,
    section: 'people',
    for: ['admin'],
  },
]
