import { IconPlugConnected } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** The menu's text loads before the page's texts. */
export const platformGatewaysMenu = defineTexts('platform-gateways-menu', {
  en: { title: 'Gateways' },
  de: { title: 'Gateways' },
})

export const platformGatewaysNavigation: readonly NavigationItem[] = [
  {
    path: '/platform/gateways',
    label: () => textOf(platformGatewaysMenu, 'title'),
    icon: IconPlugConnected,
    section: 'platform',
    for: ['operator'],
  },
]
