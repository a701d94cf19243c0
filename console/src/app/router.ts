import { createRoute, createRouter } from '@tanstack/react-router'
import { featurePages } from '../features'
import { sessionRoutes } from '../session/routes'
import { NotFound } from './failures'
import { Home } from './home'
import { pageOf } from './page-route'
import { rootRoute, shellRoute, shellRoots } from './routes'

type Page = (typeof featurePages)[number]

/** The pages that hang on a root. Their types do not depend on it: each knows its address. */
function pagesBelow(root: (typeof shellRoots)[number]): Page[] {
  return featurePages.filter(({ options }) => options.getParentRoute() === root)
}

// Within the shell: the menu leads on.
const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound })
const homeRoute = createRoute({ getParentRoute: () => shellRoute, path: '/', component: Home })

// The shell shows the menu, which knows all features, and those know the roots: so it is no root's own business.
shellRoute.update({ component: pageOf(async () => import('./shell'), 'Shell') })

const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  shellRoute.addChildren([
    homeRoute,
    unknownRoute,
    ...shellRoots.map((root) => root.addChildren(pagesBelow(root))),
  ]),
])

export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
