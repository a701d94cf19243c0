/** Whom a call is handed over to, and how they are reached. */
import type { ActionContext } from './actions/action.js'
import { defaultRingTimeout } from './actions/shared-params.js'
import type { Reach } from './reach.js'
import { reachTeam } from './ring-group.js'
import { otherParty } from './team-members.js'

export interface TransferTarget {
  kind: 'agent' | 'team' | 'sip_account'
  id: string
}

export interface TransferRequest {
  target: TransferTarget
  /** Whether the agent speaks with the target first. */
  consult: boolean
  /** The agent who wants it. */
  byAgentId: string
  /** What the target is told. */
  reason: string | null
}

/** Rings the target of a transfer as a script or a flow would. */
export function reachTarget(context: ActionContext, { kind, id }: TransferTarget): Reach {
  const { call, members, routing, workspace } = context
  const { number, name: callerName } = otherParty(call)
  const options = { ringTimeout: defaultRingTimeout, callerName }
  if (kind === 'team') {
    const group = {
      teamId: id,
      strategy: 'ring-all',
      ringTimeout: defaultRingTimeout,
      ringback: null,
    } as const
    return async (dialler) => reachTeam(context, dialler, group)
  }
  return async ({ dial }) => {
    const route =
      kind === 'agent' ? await members.wayTo(call, id) : await routing.wayToPhone(workspace, id, number)
    return route ? dial(route, options) : 'offline'
  }
}
