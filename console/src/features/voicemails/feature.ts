import { IconMicrophone2 } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { fetched } from '../../api/fetched'
import { listOf, pageOf } from '../../app/page-route'
import { agentRoute } from '../../app/routes'
import { voicemailSearchOf, voicemailsQuery } from './queries'

const voicemailsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: '/voicemails',
  staticData: {
    menu: {
      section: 'desk',
      icon: IconMicrophone2,
      texts: 'voicemails',
      Badge: lazy(async () => fetched(async () => import('./components/new-badge'))),
    },
  },
  ...listOf(voicemailsQuery, voicemailSearchOf),
  component: pageOf(async () => import('./pages/voicemails-page'), 'VoicemailsPage'),
})

export const voicemailsFeature = [voicemailsRoute] as const
