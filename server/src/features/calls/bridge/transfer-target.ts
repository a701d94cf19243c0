/** The target of a transfer, and how it is dialled. */
import { appScheme, appUserOfLeg } from '../model/app-user.js'
import type { LegRefusal } from '../model/outcomes.js'
import type { Route } from '../routing/route.js'
import type { Side } from './side.js'
import { internationalNumber } from '../../../lib/numbering/e164.js'
import { routeToClient } from '../routing/app-route.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { type DialContext, defaultRingTimeout } from '../dialling/dial-context.js'
import { NoRoute } from '../model/no-route.js'
import type { CallDialer, DialStrategy } from '../dialling/dial-strategy.js'
import { dialTeam } from '../dialling/ring-group.js'
import { otherParty } from '../dialling/team-members.js'

export const targetKinds = ['agent', 'team', 'sip_account', 'voice_agent', 'client', 'number'] as const

export interface TransferTarget {
  kind: (typeof targetKinds)[number]
  /** Digits with the country calling code for a telephone number; the `sub` for a client. */
  id: string
}

export interface TransferRequest {
  target: TransferTarget
  /** True if the agent consults the target first. */
  consult: boolean
  /**
   * Username of the agent or SIP account that started it; id of a voice agent, or of a SIP account with an agent's
   * username.
   */
  by: string
  /** The side that the target replaces. */
  side: Side
  /** Shown to the target. */
  reason: string | null
}

/** The party of a leg, to dial it again; null for a party outside the workspace. */
export function partyOf(leg: CallLeg): TransferTarget | null {
  const person = appUserOfLeg(leg)
  return person?.kind === 'client' ? { kind: 'client', id: person.sub } : phoneOf(leg)
}

/** The workspace's party of a leg; null for customers: external parties and clients. */
export function phoneOf({ agent_id, sip_account_id, voice_agent_id }: CallLeg): TransferTarget | null {
  if (agent_id !== null) return { kind: 'agent', id: agent_id }
  if (sip_account_id !== null) return { kind: 'sip_account', id: sip_account_id }
  return voice_agent_id === null ? null : { kind: 'voice_agent', id: voice_agent_id }
}

/**
 * The party of a leg as target of an attended transfer: a phone of the workspace or of the telephone network; null for
 * apps and voice agents, which stay in the call that dialled them.
 */
export function joinableOf(leg: CallLeg): TransferTarget | null {
  if (leg.voice_agent_id !== null || leg.uri.startsWith(appScheme)) return null
  // A caller may withhold the number, or send arbitrary text.
  return phoneOf(leg) ?? { kind: 'number', id: /^[+]?([0-9]{1,32})$/.exec(leg.number)?.[1] ?? 'unknown' }
}

/**
 * Dials the target of a transfer as a script or a flow would.
 * @param transfer details for the target; null if the transferring party is rung back
 * @returns besides others `not_allowed` for a number that the workspace may not call or has no caller id for,
 * `no_credit`, and `failed` over the limit of calls per second
 */
export function dialTarget(
  context: DialContext,
  target: TransferTarget,
  transfer: { reason: string | null } | null,
): DialStrategy {
  const { name: callerName } = otherParty(context.call)
  return async (dialer) => {
    const transferDialer: CallDialer = {
      ...dialer,
      dial: async (route, options) => dialer.dial(route, { ...options, ...(transfer && { transfer }) }),
    }
    const ringTimeout = defaultRingTimeout
    if (target.kind === 'team') {
      return dialTeam(context, transferDialer, {
        ...{ teamId: target.id, strategy: 'ring-all', ringTimeout, ringback: null },
      })
    }
    if (target.kind === 'number') {
      const route = await routeToNumber(context, target.id)
      // Carriers get the workspace's number, and the call's own name.
      return typeof route === 'string' ? route : transferDialer.dial(route, { ringTimeout })
    }
    const route = await wayTo(context, target)
    if (!route) return 'offline'
    const refusal = await context.mayBegin(route)
    return refusal ?? transferDialer.dial(route, { ringTimeout, callerName })
  }
}

async function wayTo(context: DialContext, { kind, id }: TransferTarget): Promise<Route | null> {
  const { call, members, routing, voiceAgents, workspace } = context
  if (kind === 'agent') return members.routeTo(call, id)
  if (kind === 'voice_agent') return voiceAgents.routeTo(call, id)
  if (kind === 'client') return routeToClient(id)
  return routing.findPhoneRoute(workspace, id, otherParty(call).number)
}

async function routeToNumber(
  context: DialContext,
  digits: string,
): Promise<Route | 'not_allowed' | LegRefusal> {
  const { routing, workspace } = context
  const number = internationalNumber(`+${digits}`)
  const from = number && (await routing.callerOf(workspace, await context.phoneNumber()))
  const route = from && (await routing.route(workspace, from, { kind: 'number', number }))
  if (!route || route instanceof NoRoute) return 'not_allowed'
  return (await context.mayBegin(route)) ?? route
}
