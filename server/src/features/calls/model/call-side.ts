/** A call from an agent's side: incoming or outgoing, and the party at the far end. */
import type { Call } from './call.entity.js'
import type { LegRole } from './call-leg.entity.js'

/** `outgoing`: the agent called; `incoming`: the call was for the agent; `supervision`: the agent only listened. */
export const callSides = ['incoming', 'outgoing', 'supervision'] as const
export type CallSide = (typeof callSides)[number]

export interface FarParty {
  readonly number: string
  readonly name: string
}

type Parties = Pick<Call, 'line' | 'from_number' | 'from_name' | 'to_number' | 'to_name'>

/** @param roles of the agent's legs; none for one who was only rung */
export function sideOf(roles: readonly LegRole[]): CallSide {
  if (roles.includes('caller')) return 'outgoing'
  return roles.length > 0 && roles.every((role) => role === 'supervisor') ? 'supervision' : 'incoming'
}

/**
 * Whether the call's `to` is at the other end, rather than its `from`: also where the script of an outbound call connects
 * its called party with the agent.
 */
export function isCalledFar({ line }: Pick<Call, 'line'>, roles: readonly LegRole[]): boolean {
  return roles.includes('caller') || (line === 'called' && roles.includes('destination'))
}

/** The other end of a call for somebody with these roles. */
export function farPartyOf(call: Parties, roles: readonly LegRole[]): FarParty {
  return isCalledFar(call, roles)
    ? { number: call.to_number, name: call.to_name }
    : { number: call.from_number, name: call.from_name }
}
