import { IconDeviceLandlinePhone } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
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
