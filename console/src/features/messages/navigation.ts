import { IconMessage2, IconMessageOff } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { messagesMenuTexts } from './menu-texts'

export const messagesNavigation: readonly NavigationItem[] = [
  {
    path: '/messages',
    label: () => textOf(messagesMenuTexts, 'messages'),
    icon: IconMessage2,
    section: 'history',
    for: ['admin'],
  },
]

export const optOutsNavigation: readonly NavigationItem[] = [
  {
    path: '/opt-outs',
    label: () => textOf(messagesMenuTexts, 'optOuts'),
    icon: IconMessageOff,
    section: 'people',
    for: ['admin'],
  },
]
