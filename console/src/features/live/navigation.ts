import { IconActivity } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { liveMenuTexts } from './menu-texts'

export const liveNavigation: readonly NavigationItem[] = [
  {
    path: '/live',
    label: () => textOf(liveMenuTexts, 'title'),
    icon: IconActivity,
    section: 'desk',
    for: ['supervisor', 'admin'],
  },
]
