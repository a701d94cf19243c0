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
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { TeamQueues } from '../queue/team-queues.js'
import { type CallerWait, waitInQueue } from '../queue/wait-in-queue.js'
import { otherParty } from '../dialling/team-members.js'

export const targetKinds = ['agent', 'team', 'sip_account', 'voice_agent', 'client', 'number'] as const

export interface TransferTarget {
  kind: (typeof targetKinds)[number]
  /** Digits with the country calling code for a telephone number; the `sub` for a client. */
  id: string
  /** Of a telephone number: the digits of the workspace's number that it is called with; by default the call's own. */
  from?: string
}

/** A target that can be dialled now. */
export interface FoundTarget extends TransferTarget {
  /** Display name. */
  name: string
  /** Set for an agent. */
  username: string | null
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
  /** True for a recovered transfer in which all three talk. */
  isThreeWay?: boolean
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

/** How long the caller of a blind transfer waits for a team, in seconds, as in the action connect_team. */
const maxWait = 300
/** How many callers may wait for the team, as in the action connect_team. */
const maxLength = 100

/** What a target needs besides to wait in a team's queue. */
interface TransferContext extends DialContext {
  readonly queues: TeamQueues
  note(event: CallEventName, details: object): void
}

/** How a transfer dials its target. */
interface TransferDial {
  /** Shown to the target. */
  reason: string | null
  /** A blind transfer to a team; null if the agent stays to consult the target. */
  queue: { except: string | null; waits: () => void } | null
}

/**
 * Dials the target of a transfer as a script or a flow would. A team means its queue, unless the agent consults it.
 * @param transfer details for the target; null if the transferring party is rung back
 * @returns besides others `not_allowed` for a number that the workspace may not call or has no caller id for,
 * `no_credit`, and `failed` over the limit of calls per second
 */
export function dialTarget(
  context: TransferContext,
  target: TransferTarget,
  transfer: TransferDial | null,
): DialStrategy {
  const { name: callerName } = otherParty(context.call)
  return async (dialer) => {
    const transferDialer: CallDialer = {
      ...dialer,
      dial: async (route, options) =>
        dialer.dial(route, { ...options, ...(transfer && { transfer: { reason: transfer.reason } }) }),
    }
    const ringTimeout = defaultRingTimeout
    if (target.kind === 'team') {
      const group = { teamId: target.id, strategy: 'ring-all' as const, ringTimeout, ringback: null }
      if (!transfer?.queue) return dialTeam(context, transferDialer, group)
      const { except, waits } = transfer.queue
      return waitInQueue({ ...context, begin: async () => heldByBridge(waits) }, transferDialer, {
        ...{ ...group, call: context.call, maxWait, maxLength, except },
      })
    }
    if (target.kind === 'number') {
      const route = await routeToNumber(context, target)
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

/** The bridge plays music to the caller, who only waits. */
function heldByBridge(waits: () => void): CallerWait {
  waits()
  return { during: async (work) => work, stop: async () => undefined }
}

async function routeToNumber(
  context: DialContext,
  { id: digits, from: shown }: TransferTarget,
): Promise<Route | 'not_allowed' | LegRefusal> {
  const { routing, workspace } = context
  const number = internationalNumber(`+${digits}`)
  const from = number && (await callerId(context, shown))
  const route = from && (await routing.route(workspace, from, { kind: 'number', number }))
  if (!route || route instanceof NoRoute) return 'not_allowed'
  return (await context.mayBegin(route)) ?? route
}

/** @param shown digits of a number of the workspace, which may have been deleted since */
async function callerId(context: DialContext, shown: string | undefined): Promise<PhoneNumber | null> {
  const { routing, workspace } = context
  if (shown !== undefined) return routing.ownNumber(workspace, shown)
  return routing.callerOf(workspace, await context.phoneNumber())
}
