import { IconHeadset } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const agentsMenu = menuTexts.agents

export const agentsNavigation: readonly NavigationItem[] = [
  {
    path: '/agents',
    label: () => textOf(agentsMenu, 'title'),
    icon: IconHeadset,
    section: 'people',
    for: ['admin'],
  },
]
