/** Whom a call is handed over to, and how they are reached. */
import type { CallLeg } from './call-leg.entity.js'
import type { ActionContext } from './actions/action.js'
import { defaultRingTimeout } from './actions/shared-params.js'
import type { Dialler, Reach } from './reach.js'
import { reachTeam } from './ring-group.js'
import type { Side } from './talk-mark.js'
import { otherParty } from './team-members.js'

export interface TransferTarget {
  kind: 'agent' | 'team' | 'sip_account'
  id: string
}

export interface TransferRequest {
  target: TransferTarget
  /** Whether the agent speaks with the target first. */
  consult: boolean
  /** The username of the agent who wants it. */
  by: string
  /** Whose place the target is to take. */
  side: Side
  /** What the target is told. */
  reason: string | null
}

/** Whose phone, or apps, a leg leads to; null for somebody outside. */
export function phoneOf({ agent_id, sip_account_id }: CallLeg): TransferTarget | null {
  if (agent_id !== null) return { kind: 'agent', id: agent_id }
  return sip_account_id === null ? null : { kind: 'sip_account', id: sip_account_id }
}

/**
 * Rings the target of a transfer as a script or a flow would.
 * @param transfer what they are told; null when somebody is rung again who handed the call over
 */
export function reachTarget(
  context: ActionContext,
  { kind, id }: TransferTarget,
  transfer: { reason: string | null } | null,
): Reach {
  const { call, members, routing, workspace } = context
  const { number, name: callerName } = otherParty(call)
  return async (dialler) => {
    const telling: Dialler = {
      ...dialler,
      dial: async (route, options) => dialler.dial(route, { ...options, ...(transfer && { transfer }) }),
    }
    if (kind === 'team') {
      return reachTeam(context, telling, {
        ...{ teamId: id, strategy: 'ring-all', ringTimeout: defaultRingTimeout, ringback: null },
      })
    }
    const route =
      kind === 'agent' ? await members.wayTo(call, id) : await routing.wayToPhone(workspace, id, number)
    return route ? telling.dial(route, { ringTimeout: defaultRingTimeout, callerName }) : 'offline'
  }
}
