import { IconPlugConnected } from '@tabler/icons-react'
import { createRoute } from '@tanstack/react-router'
import { listOf, pageOf } from '../../app/page-route'
import { operatorRoute } from '../../app/routes'
import { gatewaysSearchOf, platformGatewaysQuery } from './queries'

const platformGatewaysRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/platform/gateways',
  staticData: {
    menu: {
      section: 'platform',
      icon: IconPlugConnected,
      texts: 'platform-gateways',
    },
  },
  ...listOf(platformGatewaysQuery, gatewaysSearchOf),
  component: pageOf(async () => import('./pages/platform-gateways-page'), 'PlatformGatewaysPage'),
})

export const platformGatewaysFeature = [platformGatewaysRoute] as const
