import { IconBellRinging } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const pushCredentialsMenu = menuTexts.pushCredentials

export const pushCredentialsNavigation: readonly NavigationItem[] = [
  {
    path: '/push-credentials',
    label: () => textOf(pushCredentialsMenu, 'title'),
    icon: IconBellRinging,
    section: 'workspace',
    for: ['admin'],
  },
]
