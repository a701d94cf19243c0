import { IconSparkles } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const aiProvidersMenu = defineTexts('ai-providers-menu', {
  en: { title: 'AI providers' },
  de: { title: 'KI-Anbieter' },
})

export const aiProvidersNavigation: readonly NavigationItem[] = [
  {
    path: '/ai-providers',
    label: () => textOf(aiProvidersMenu, 'title'),
    icon: IconSparkles,
    section: 'platform',
    for: ['operator'],
  },
]
