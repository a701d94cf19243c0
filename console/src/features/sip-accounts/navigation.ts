import { IconDeviceLandlinePhone } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Apart from the pages' texts, which need not be there before they are. */
export const sipAccountsMenu = defineTexts('sip-accounts-menu', {
  en: { title: 'SIP accounts' },
  de: { title: 'SIP-Konten' },
})

export const sipAccountsNavigation: readonly NavigationItem[] = [
  {
    path: '/sip-accounts',
    label: () => textOf(sipAccountsMenu, 'title'),
    icon: IconDeviceLandlinePhone,
    section: 'telephony',
    for: ['admin'],
  },
]
