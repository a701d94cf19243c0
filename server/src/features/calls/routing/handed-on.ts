/** Inbound calls that are forwarded over a gateway: caller id and forwarding headers for its carrier. */
import type { Route, RouteTarget } from './route.js'
import { type CallerId, anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import type { Call } from '../model/call.entity.js'
import { diversionHeader, historyHeader, mostDiversions } from '../model/diversions.js'

/** Set for forwarded inbound calls only; nothing changes for other calls. */
interface Shown {
  caller: Pick<CallerId, 'user' | 'isWithheld'> | null
  /** Digits to sign for (STIR/SHAKEN), if they are not our own. */
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
  // A withheld caller has no number that we could show: P-Asserted-Identity has ours.
  if (from === anonymous)
    return { caller: { user: write(own.user), isWithheld: true }, original: null, headers }
  if (!/^\+\d{3,15}$/.test(from)) return { ...nothing, headers }
  return { caller: { user: write(from) }, original: from.slice(1), headers }
}

/** A route over a gateway that always shows our number. */
export function showingOwn(route: Route): Route {
  return route.forwarding ? { ...route, forwarding: { ...route.forwarding, caller: 'own' } } : route
}

function encoded(user: string): string {
  return user.replaceAll('#', '%23')
}
