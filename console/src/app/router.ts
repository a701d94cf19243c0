import { createRouter } from '@tanstack/react-router'
import { featureRoutes } from '../features/routes'
import { sessionRoutes } from '../session/routes'
import { homeRoute, rootRoute, shellRoute } from './routes'

const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  shellRoute.addChildren([homeRoute, ...featureRoutes]),
])

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
