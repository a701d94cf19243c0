import { IconSitemap } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { flowsTexts } from './texts'

export const flowsNavigation: readonly NavigationItem[] = [
  {
    path: '/flows',
    label: () => textOf(flowsTexts, 'title'),
    icon: IconSitemap,
    section: 'automation',
    for: ['admin'],
  },
]
