/** A call that came in and is handed on over a gateway: what its carrier is told of who called, and whom. */
import { type CallerId, anonymous } from '../switch/caller-variables.js'
import type { Call } from './call.entity.js'
import type { Route, RouteTarget } from './call-routing.js'
import { diversionHeader, historyHeader, mostDiversions } from './diversions.js'

/** What a gateway's carrier is told. */
export interface Forwarding {
  header: 'none' | 'diversion' | 'history_info'
  /** Whose number is shown. */
  caller: 'own' | 'original'
  /** Writes a number as the carrier wants it. */
  write: (number: string) => string
}

/** Legs of one call have one who called: of a call that did not come in nothing changes. */
interface Shown {
  caller: Pick<CallerId, 'user' | 'isWithheld'> | null
  /** The digits that are signed for, where they are not our own. */
  original: string | null
  headers: Readonly<Record<string, string>>
}

const nothing: Shown = { caller: null, original: null, headers: {} }

export function handedOn(
  { direction, from_number: from, to_number: called, diversions }: Call,
  { forwarding, caller: own }: Route,
  { user: target }: Pick<RouteTarget, 'user'>,
): Shown {
  if (direction !== 'inbound' || !forwarding) return nothing
  const { header, caller, write } = forwarding
  const past = [{ number: called, reason: 'unconditional' }, ...(diversions ?? [])].slice(
    0,
    mostDiversions + 1,
  )
  const written = { write, domain: own.domain }
  const headers = {
    ...(header === 'diversion' && { 'X-Edge-Diversion': diversionHeader(past, written) }),
    ...(header === 'history_info' && {
      'X-Edge-History-Info': historyHeader(past, encoded(target), written),
    }),
  }
  if (caller === 'own') return { ...nothing, headers }
  // Of one who withholds their number we know nothing but that: ours stands in P-Asserted-Identity.
  if (from === anonymous)
    return { caller: { user: write(own.user), isWithheld: true }, original: null, headers }
  if (!/^\+\d{3,15}$/.test(from)) return { ...nothing, headers }
  return { caller: { user: write(from) }, original: from.slice(1), headers }
}

/** A way over a gateway that shows our number in any case. */
export function showingOwn(route: Route): Route {
  return route.forwarding ? { ...route, forwarding: { ...route.forwarding, caller: 'own' } } : route
}

function encoded(user: string): string {
  return user.replaceAll('#', '%23')
}
