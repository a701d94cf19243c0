import { IconUsersGroup } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { textOf } from '../../i18n/texts'
import { menuTexts } from '../texts'

export const teamsMenu = menuTexts.teams

export const ownTeamsMenu = menuTexts.ownTeams

export const teamsNavigation: readonly NavigationItem[] = [
  {
    path: '/teams',
    label: () => textOf(teamsMenu, 'title'),
    icon: IconUsersGroup,
    section: 'people',
    for: ['admin'],
  },
]

export const ownTeamsNavigation: readonly NavigationItem[] = [
  {
    path: '/own-teams',
    label: () => textOf(ownTeamsMenu, 'title'),
    icon: IconUsersGroup,
    section: 'desk',
    for: ['supervisor'],
  },
]
