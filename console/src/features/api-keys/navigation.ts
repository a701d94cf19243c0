import { IconKey } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { apiKeysTexts } from './texts'

export const apiKeysNavigation: readonly NavigationItem[] = [
  {
    path: '/api-keys',
    label: () => textOf(apiKeysTexts, 'title'),
    icon: IconKey,
    section: 'workspace',
    for: ['admin'],
  },
]
