import { IconAlertTriangle } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const alertsMenu = menuTexts.alerts

const item = { label: () => textOf(alertsMenu, 'title'), icon: IconAlertTriangle }

export const alertsNavigation: readonly NavigationItem[] = [
  { ...item, path: '/alerts', section: 'workspace', for: ['admin'] },
]

export const platformAlertsNavigation: readonly NavigationItem[] = [
  { ...item, path: '/platform/alerts', section: 'platform', for: ['operator'] },
]
