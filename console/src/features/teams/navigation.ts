import { IconUsersGroup } from '@tabler/icons-react'
import type { NavigationItem } from '../../app/navigation'
import { defineTexts, textOf } from '../../i18n/texts'

/** Separate from the pages' texts, which load later. */
export const teamsMenu = defineTexts('teams-menu', {
  en: { title: 'Teams' },
  de: { title: 'Teams' },
})

export const ownTeamsMenu = defineTexts('own-teams-menu', {
  en: { title: 'My teams' },
  de: { title: 'Meine Teams' },
})

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
