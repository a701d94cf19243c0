import { IconUsersGroup } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listSearchOf } from '../../api/lists'
import { ahead, queryClient } from '../../api/query-client'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute, supervisorRoute } from '../../app/routes'
import { ownTeamsQuery } from '../presence/queries'
import { ownTeamsSearchOf } from './own-teams'
import { teamAgentsQuery, teamQuery, teamsQuery } from './queries'

const allRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams',
  staticData: {
    menu: { section: 'people', icon: IconUsersGroup, texts: 'teams/teams' },
  },
  ...listOf(teamsQuery),
  component: pageOf(async () => import('./pages/teams-page'), 'TeamsPage'),
})

/** Its URL keeps the state of the member list. */
const oneRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams/$id',
  validateSearch: listSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { id }, deps }) => {
    ahead(queryClient.query(teamQuery(id)))
    ahead(queryClient.query(teamAgentsQuery(id, deps)))
  },
  component: pageOf(async () => import('./pages/team-page'), 'TeamPage'),
})

/** Separate pages: the leader of a team need not be an admin. */
const ownRoute = createRoute({
  getParentRoute: () => supervisorRoute,
  path: '/own-teams',
  staticData: {
    menu: { section: 'desk', icon: IconUsersGroup, texts: 'teams/ownTeams' },
  },
  validateSearch: ownTeamsSearchOf,
  loader: () => ahead(queryClient.query(ownTeamsQuery)),
  component: pageOf(async () => import('./pages/own-teams-page'), 'OwnTeamsPage'),
})

export const teamsFeature = [ownRoute, allRoute, oneRoute] as const
