import { IconBellRinging } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const pushCredentialsMenu = defineTexts('push-credentials-menu', {
  en: { title: 'Push credentials' },
  de: { title: 'Push-Zugänge' },
})

export const pushCredentialsNavigation: readonly NavigationItem[] = [
  {
    path: '/push-credentials',
    label: () => textOf(pushCredentialsMenu, 'title'),
    icon: IconBellRinging,
    section: 'workspace',
    for: ['admin'],
  },
]
