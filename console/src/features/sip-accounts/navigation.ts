import { IconDeviceLandlinePhone } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const sipAccountsMenu = menuTexts.sipAccounts

export const sipAccountsNavigation: readonly NavigationItem[] = [
  {
    path: '/sip-accounts',
    label: () => textOf(sipAccountsMenu, 'title'),
    icon: IconDeviceLandlinePhone,
    section: 'telephony',
    for: ['admin'],
  },
]
