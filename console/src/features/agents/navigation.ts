import { IconHeadset } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Apart from the pages' texts, which need not be there before they are. */
export const agentsMenu = defineTexts('agents-menu', {
  en: { title: 'Agents' },
  de: { title: 'Agenten' },
})

export const agentsNavigation: readonly NavigationItem[] = [
  {
    path: '/agents',
    label: () => textOf(agentsMenu, 'title'),
    icon: IconHeadset,
    section: 'people',
    for: ['admin'],
  },
]
