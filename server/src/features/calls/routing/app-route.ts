/** Routes to users' apps. */
import type { AppUser } from '../model/app-user.js'
import type { AppRoute } from './route.js'
import type { Route } from './route.js'
import { free } from '../../rates/rating.js'
import { clientAddress } from '../model/client-address.js'
import type { CallTokenClaims } from '../model/call-token.js'

/** Part of routes that lead to apps alone, which are free. */
const nowhere = {
  caller: { user: '', domain: '' },
  ...{ rate: free, gatewayId: null, credential: null, headers: {}, targets: [] },
}

/**
 * A route to an app that connects by itself: a caller's, or a supervisor's.
 * @param number the leg's number for display
 */
export function routeToExpectedApp(person: AppUser, number: string, mode?: CallTokenClaims['mode']): Route {
  const { kind, sub } = person
  return {
    app: { person, isExpected: true, ...(mode && { mode }) },
    number,
    phone: kind === 'agent' ? { kind, id: sub } : null,
    ...nowhere,
  }
}

/** A route to a user of a customer's app: all their apps with an event stream, or registered for pushes. */
export function routeToClient(sub: string): Route {
  return {
    app: { person: { kind: 'client', sub }, isExpected: false },
    ...{ number: clientAddress(sub), phone: null },
    ...nowhere,
  }
}

/** The apps that a route rings besides its addresses: always for agents. */
export function appsOf({ app, phone }: Route): AppRoute | null {
  if (app) return app
  return phone?.kind === 'agent' ? { person: { kind: 'agent', sub: phone.id }, isExpected: false } : null
}
