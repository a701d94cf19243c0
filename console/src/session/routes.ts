/** The pages of those who are not signed in. */
import { createRoute, redirect } from '@tanstack/react-router'
import { pageOf } from '../app/page-route'
import { rootRoute } from '../app/routes'
import { sessionNow } from './session'

function nextOf(value: unknown): string | undefined {
  // Only a path of this site: an address elsewhere would make sign-in a way to lure people.
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = nextOf(search['next'])
    return next ? { next } : {}
  },
  // Whoever has signed in, here or in another tab, goes on.
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

/** The token is behind `#`: it is sent to no server. */
const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: pageOf(async () => import('./pages/reset-password-page'), 'ResetPasswordPage'),
})

export const sessionRoutes = [signInRoute, forgotPasswordRoute, resetPasswordRoute] as const
