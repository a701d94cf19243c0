import { IconWebhook } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const webhooksMenu = menuTexts.webhooks

export const webhooksNavigation: readonly NavigationItem[] = [
  {
    path: '/webhooks',
    label: () => textOf(webhooksMenu, 'title'),
    icon: IconWebhook,
    section: 'workspace',
    for: ['admin'],
  },
]
