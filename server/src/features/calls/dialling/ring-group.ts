/** Dials members of a team for a call, by the team's strategy. */
import type { ConnectOutcome } from '../model/outcomes.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { RingContext } from './dial-context.js'
import { type CallDialer, ringInTurn, ringTogether } from './dial-strategy.js'
import { type Member, type Strategy, otherParty } from './team-members.js'

export interface RingGroup {
  teamId: string
  strategy: Strategy
  /** Seconds: for all together, or for each in turn. */
  ringTimeout: number
  /** File that is played to the caller meanwhile; null for a ringback tone. */
  ringback: string | null
}

/** At most this many members ring at once: the team's oldest. */
const maxTogether = 50

/** Dials the free members of a team. `no_answer` also if all have a call; `offline` if no member is reachable. */
export async function dialTeam(
  context: RingContext,
  dialer: CallDialer,
  group: RingGroup,
): Promise<AnsweredLeg | ConnectOutcome> {
  const { call, members, queues, workspace } = context
  members.noteTeam(call, group.teamId)
  const reachable = await members.reachableFor(call, group.teamId, dialer.signal)
  if (reachable.length === 0) return 'offline'
  const free = queues.free(reachable)
  if (free.length === 0) return 'no_answer'
  const ordered = await members.inOrder(workspace, group.teamId, group.strategy, free)
  return dialer.withRingback(group.ringback, async () => ringMembers(context, dialer, group, ordered))
}

/** Dials members in this order, or all at once. */
export async function ringMembers(
  { call, members, workspace }: RingContext,
  dialer: CallDialer,
  { teamId, strategy, ringTimeout }: RingGroup,
  ordered: readonly Member[],
): Promise<AnsweredLeg | ConnectOutcome> {
  const isTogether = strategy === 'ring-all'
  const rung = isTogether ? ordered.slice(0, maxTogether) : ordered
  const routes = rung.map((member) => members.routeToMember(call, member))
  const options = { ringTimeout, callerName: otherParty(call).name, teamId }
  const found = isTogether
    ? await ringTogether(dialer, routes, options)
    : await ringInTurn(dialer, routes, options, async (index) => {
        const member = rung[index]
        if (member && strategy === 'round-robin') await members.offered(workspace, teamId, member)
      })
  if (!Array.isArray(found)) return found
  return found.length > 0 && found.every((outcome) => outcome === 'failed') ? 'failed' : 'no_answer'
}
