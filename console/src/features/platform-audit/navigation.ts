import { IconListDetails } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const platformAuditMenu = defineTexts('platform-audit-menu', {
  en: { title: 'Audit log' },
  de: { title: 'Änderungsprotokoll' },
})

export const platformAuditNavigation: readonly NavigationItem[] = [
  {
    path: '/platform/audit-log',
    label: () => textOf(platformAuditMenu, 'title'),
    icon: IconListDetails,
    section: 'platform',
    for: ['operator'],
  },
]
