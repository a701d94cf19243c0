import { IconSitemap } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const flowsMenu = menuTexts.flows

export const flowsNavigation: readonly NavigationItem[] = [
  {
    path: '/flows',
    label: () => textOf(flowsMenu, 'title'),
    icon: IconSitemap,
    section: 'automation',
    for: ['admin'],
  },
]
