/** Pages for users who are not signed in. */
import { createRoute, redirect } from '@tanstack/react-router'
import { pageOf } from '../app/page-route'
import { rootRoute } from '../app/routes'
import { sessionNow } from './session'

function nextOf(value: unknown): string | undefined {
  // Only paths of this site: open redirects would help phishing.
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = nextOf(search['next'])
    return next ? { next } : {}
  },
  // After a sign-in, here or in another tab, continue to the target page.
  beforeLoad: ({ search }) => {
    if (sessionNow()) throw redirect({ href: search.next ?? '/', replace: true })
  },
  component: pageOf(async () => import('./pages/sign-in-page'), 'SignInPage'),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: pageOf(async () => import('./pages/forgot-password-page'), 'ForgotPasswordPage'),
})

/** The token is in the fragment: browsers do not send it to servers. */
const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: pageOf(async () => import('./pages/reset-password-page'), 'ResetPasswordPage'),
})

/** The token of an invitation is in the fragment, too. */
const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: pageOf(async () => import('./pages/welcome-page'), 'WelcomePage'),
})

const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enter',
  component: pageOf(async () => import('./pages/enter-page'), 'EnterPage'),
})

export const sessionRoutes = [
  ...([signInRoute, forgotPasswordRoute, resetPasswordRoute] as const),
  ...([welcomeRoute, enterRoute] as const),
] as const
