import { IconMessage2, IconMessageOff } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const messagesMenu = menuTexts.messages

export const messagesNavigation: readonly NavigationItem[] = [
  {
    path: '/messages',
    label: () => textOf(messagesMenu, 'messages'),
    icon: IconMessage2,
    section: 'history',
    for: ['admin'],
  },
]

export const optOutsNavigation: readonly NavigationItem[] = [
  {
    path: '/opt-outs',
    label: () => textOf(messagesMenu, 'optOuts'),
    icon: IconMessageOff,
    section: 'people',
    for: ['admin'],
  },
]
