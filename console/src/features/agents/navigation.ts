import { IconHeadset } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
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
