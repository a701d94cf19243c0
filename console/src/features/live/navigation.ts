import { IconActivity } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const liveMenu = menuTexts.live

export const liveNavigation: readonly NavigationItem[] = [
  {
    path: '/live',
    label: () => textOf(liveMenu, 'title'),
    icon: IconActivity,
    section: 'desk',
    for: ['supervisor', 'admin'],
  },
]
