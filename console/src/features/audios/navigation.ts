import { IconMusic } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const audiosMenu = menuTexts.audios

export const audiosNavigation: readonly NavigationItem[] = [
  {
    path: '/audios',
    label: () => textOf(audiosMenu, 'title'),
    icon: IconMusic,
    section: 'telephony',
    for: ['admin'],
  },
]
