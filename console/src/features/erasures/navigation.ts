import { IconEraser } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const erasuresMenu = menuTexts.erasures

export const erasuresNavigation: readonly NavigationItem[] = [
  {
    path: '/erasures',
    label: () => textOf(erasuresMenu, 'title'),
    icon: IconEraser,
    section: 'people',
    for: ['admin'],
  },
]
