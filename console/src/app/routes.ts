/** The roots of the features' pages. Each checks the role that its pages need. */
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { meQuery } from '../api/me'
import { queryClient } from '../api/query-client'
import { sessionNow } from '../session/session'
import { NoSuchAddress, PageCrashed } from './failures'
import { Frame } from './frame'
import { type Person, peopleOf } from './people'

export const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NoSuchAddress,
  errorComponent: PageCrashed,
})

/** Pages within the shell: they require sign-in. The router gives it its component. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  errorComponent: PageCrashed,
  beforeLoad: ({ location }) => {
    if (!sessionNow()) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
})

/** Longest wait for `/me`: then the frame is drawn, and the API enforces rights anyway. */
const patienceMs = 400

const soon = async (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), patienceMs))

let onLateAnswer: (() => void) | undefined

/** @param listener called when `/me` answers after a page was drawn without it */
export function whenKnownLate(listener: () => void): void {
  onLateAnswer = listener
}

/** The signed-in user, fetched once; null on failure or timeout. */
async function peopleNow(): Promise<ReadonlySet<Person> | null> {
  const session = sessionNow()
  if (session?.kind !== 'agent') return peopleOf(session, undefined)
  const asked = queryClient.query({ ...meQuery, staleTime: 'static' }).catch(() => null)
  const me = await Promise.race([asked, soon()])
  if (me === undefined) {
    // Draw the page already; redirect later if the user may not open it.
    void asked.then((late) => late && onLateAnswer?.())
    return null
  }
  return me && peopleOf(session, me)
}

/** Options of a root: who may open the pages below it. */
function only(...people: Person[]) {
  const beforeLoad = async (): Promise<void> => {
    const known = await peopleNow()
    // The API enforces rights, so a short outage must not redirect users away from their page.
    if (known && !people.some((person) => known.has(person))) throw redirect({ to: '/' })
  }
  return { staticData: { people }, beforeLoad }
}

/** Pages of an agent's own: the desk and the inbox. */
export const agentRoute = createRoute({ getParentRoute: () => shellRoute, id: 'agent', ...only('agent') })

/** Pages of leaders and supervisors. */
export const supervisorRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'supervisor',
  ...only('supervisor'),
})

/** Pages of supervisors and leaders, and of admins. */
export const watcherRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'watcher',
  ...only('supervisor', 'admin'),
})

/** Pages of a workspace's admins: by API key, or by an agent's admin right. */
export const adminRoute = createRoute({ getParentRoute: () => shellRoute, id: 'admin', ...only('admin') })

/** Pages of the operator. */
export const operatorRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'operator',
  ...only('operator'),
})

export const shellRoots = [agentRoute, supervisorRoute, watcherRoute, adminRoute, operatorRoute] as const
