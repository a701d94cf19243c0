/** The app that makes a call: it has a token, and connects for its leg by itself. */
import type { Route } from '../routing/route.js'
import { routeToExpectedApp } from '../routing/app-route.js'
import type { Call } from '../model/call.entity.js'

/** An app that has made a call connects within this, or the call is canceled; in seconds. */
const comesWithin = 30

/**
 * After a restart of the server the app gets at least `comesBackWithin`, unless its time ran out `awayAtMost` ago; in
 * seconds.
 */
const comesBackWithin = 15
const awayAtMost = 60

/** Seconds left for the app; 0 or less when it is too late. */
export function secondsLeftForApp(call: Call): number {
  return Math.ceil(comesWithin - (Date.now() - call.created_at.getTime()) / 1000)
}

/** As {@link secondsLeftForApp}, when the call is recovered. */
export function secondsLeftToComeBack(call: Call): number {
  const left = secondsLeftForApp(call)
  return left > -awayAtMost ? Math.max(left, comesBackWithin) : 0
}

export function routeToCaller({ client_sub, agent_id, from_number }: Call): Route {
  return client_sub === null
    ? routeToExpectedApp({ kind: 'agent', sub: agent_id ?? '' }, from_number)
    : routeToExpectedApp({ kind: 'client', sub: client_sub }, client_sub)
}
