import { IconMessages, IconTemplate } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { inboxMenuTexts } from './menu-texts'

export const inboxNavigation: readonly NavigationItem[] = [
  {
    path: '/inbox',
    label: () => textOf(inboxMenuTexts, 'inbox'),
    icon: IconMessages,
    section: 'desk',
    for: ['agent'],
  },
  {
    path: '/canned-replies',
    label: () => textOf(inboxMenuTexts, 'cannedReplies'),
    icon: IconTemplate,
    section: 'desk',
    for: ['supervisor'],
  },
]
