import { IconPlugConnected } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const platformGatewaysMenu = menuTexts.platformGateways

export const platformGatewaysNavigation: readonly NavigationItem[] = [
  {
    path: '/platform/gateways',
    label: () => textOf(platformGatewaysMenu, 'title'),
    icon: IconPlugConnected,
    section: 'platform',
    for: ['operator'],
  },
]
