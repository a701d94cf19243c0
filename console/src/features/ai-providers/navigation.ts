import { IconSparkles } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const aiProvidersMenu = menuTexts.aiProviders

export const aiProvidersNavigation: readonly NavigationItem[] = [
  {
    path: '/ai-providers',
    label: () => textOf(aiProvidersMenu, 'title'),
    icon: IconSparkles,
    section: 'platform',
    for: ['operator'],
  },
]
