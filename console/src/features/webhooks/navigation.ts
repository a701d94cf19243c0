import { IconWebhook } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const webhooksMenu = defineTexts('webhooks-menu', {
  en: { title: 'Webhooks' },
  de: { title: 'Webhooks' },
})

export const webhooksNavigation: readonly NavigationItem[] = [
  {
    path: '/webhooks',
    label: () => textOf(webhooksMenu, 'title'),
    icon: IconWebhook,
    section: 'workspace',
    for: ['admin'],
  },
]
