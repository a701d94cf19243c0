/** Ways to people's apps. */
import { free } from '../../rates/rating.js'
import type { Route } from '../call-routing.js'
import { clientAddress } from '../client-address.js'
import type { Person, SeatClaims } from './app-seats.js'

export interface AppRoute {
  readonly person: Person
  /** The app has its token already, and comes: nobody is told that it rings, and nobody is asked whether they may. */
  readonly isExpected: boolean
  readonly mode?: SeatClaims['mode']
}

/** Of a way that leads to apps alone, which cost nothing. */
const nowhere = {
  caller: { user: '', domain: '' },
  ...{ rate: free, gatewayId: null, credential: null, headers: {}, targets: [] },
}

/**
 * The way to an app that comes by itself: of who makes a call, or supervises one.
 * @param number what the leg's row says whom it reaches
 */
export function routeToExpectedApp(person: Person, number: string, mode?: SeatClaims['mode']): Route {
  const { kind, sub } = person
  return {
    app: { person, isExpected: true, ...(mode && { mode }) },
    number,
    phone: kind === 'agent' ? { kind, id: sub } : null,
    ...nowhere,
  }
}

/** The way to a user of a customer's app: all apps that listen to events as them, or are registered for pushes. */
export function routeToClient(sub: string): Route {
  return {
    app: { person: { kind: 'client', sub }, isExpected: false },
    ...{ number: clientAddress(sub), phone: null },
    ...nowhere,
  }
}

/** The apps that a route leads to beside its addresses: agents have some wherever they are called. */
export function appsOf({ app, phone }: Route): AppRoute | null {
  if (app) return app
  return phone?.kind === 'agent' ? { person: { kind: 'agent', sub: phone.id }, isExpected: false } : null
}
