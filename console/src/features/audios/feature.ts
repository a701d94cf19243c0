import { IconMusic } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { adminRoute } from '../../app/routes'
import { audiosQuery } from './queries'

const audiosRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audios',
  staticData: {
    menu: { section: 'telephony', icon: IconMusic, texts: 'audios' },
  },
  ...listOf(audiosQuery),
  component: pageOf(async () => import('./pages/audios-page'), 'AudiosPage'),
})

export const audiosFeature = [audiosRoute] as const
