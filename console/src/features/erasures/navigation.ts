import { IconEraser } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Apart from the page's texts, which need not be there before it is. */
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
