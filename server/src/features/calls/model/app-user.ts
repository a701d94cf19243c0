/** The user of an app: an agent (`sub` is its id), or a user of a customer's app (`sub` of their JWT). */
import type { CallLeg } from './call-leg.entity.js'

export interface AppUser {
  readonly kind: 'agent' | 'client'
  readonly sub: string
}

/** Scheme of the address of every client leg. */
export const appScheme = 'app:'

/** The user whose app a leg leads to; null if it is not a client leg. */
export function appUserOfLeg({ uri, agent_id }: Pick<CallLeg, 'uri' | 'agent_id'>): AppUser | null {
  if (!uri.startsWith(appScheme)) return null
  return { kind: agent_id === null ? 'client' : 'agent', sub: uri.slice(appScheme.length) }
}

/** Whether a leg is a calling app's: it is up before the call is answered. */
export function isOfCallingApp(leg: Pick<CallLeg, 'uri' | 'agent_id' | 'role'>): boolean {
  return leg.role === 'caller' && appUserOfLeg(leg) !== null
}
