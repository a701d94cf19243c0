import { IconAlertTriangle } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const alertsMenu = defineTexts('alerts-menu', {
  en: { title: 'Alerts' },
  de: { title: 'Warnungen' },
})

const item = { label: () => textOf(alertsMenu, 'title'), icon: IconAlertTriangle }

export const alertsNavigation: readonly NavigationItem[] = [
  { ...item, path: '/alerts', section: 'workspace', for: ['admin'] },
]

export const platformAlertsNavigation: readonly NavigationItem[] = [
  { ...item, path: '/platform/alerts', section: 'platform', for: ['operator'] },
]
