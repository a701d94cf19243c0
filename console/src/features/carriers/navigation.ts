import { IconMessage2Share } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const carriersMenu = menuTexts.carriers

export const carriersNavigation: readonly NavigationItem[] = [
  {
    path: '/carriers',
    label: () => textOf(carriersMenu, 'title'),
    icon: IconMessage2Share,
    section: 'platform',
    for: ['operator'],
  },
]
