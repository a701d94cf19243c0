import { IconHistory } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

const texts = defineTexts('calls-menu', { en: { title: 'Calls' }, de: { title: 'Anrufe' } })

export const callsNavigation: readonly NavigationItem[] = [
  {
    path: '/calls',
    label: () => textOf(texts, 'title'),
    icon: IconHistory,
    section: 'history',
    for: ['admin'],
  },
]
