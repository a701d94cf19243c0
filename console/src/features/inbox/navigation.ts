import { IconMessages, IconTemplate } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const inboxMenu = menuTexts.inbox

export const inboxNavigation: readonly NavigationItem[] = [
  {
    path: '/inbox',
    label: () => textOf(inboxMenu, 'inbox'),
    icon: IconMessages,
    section: 'desk',
    for: ['agent'],
  },
  {
    path: '/canned-replies',
    label: () => textOf(inboxMenu, 'cannedReplies'),
    icon: IconTemplate,
    section: 'desk',
    for: ['supervisor'],
  },
]
