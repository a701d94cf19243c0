import { IconRobot } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const voiceAgentsMenu = menuTexts.voiceAgents

export const voiceAgentsNavigation: readonly NavigationItem[] = [
  {
    path: '/voice-agents',
    label: () => textOf(voiceAgentsMenu, 'title'),
    icon: IconRobot,
    section: 'automation',
    for: ['admin'],
  },
]
