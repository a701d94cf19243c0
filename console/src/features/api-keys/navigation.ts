import { IconKey } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const apiKeysMenu = menuTexts.apiKeys

export const apiKeysNavigation: readonly NavigationItem[] = [
  {
    path: '/api-keys',
    label: () => textOf(apiKeysMenu, 'title'),
    icon: IconKey,
    section: 'workspace',
    for: ['admin'],
  },
]
