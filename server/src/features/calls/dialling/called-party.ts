/**
 * The party that a call is made to: a number, a phone, a client or a voice agent, or a team that rings all its members.
 */
import type { ConnectOutcome } from '../model/outcomes.js'
import type { Route } from '../routing/route.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { DialContext } from './dial-context.js'
import type { Call } from '../model/call.entity.js'
import type { CreditWatch } from '../limits/credit-watch.js'
import { NoRoute } from '../model/no-route.js'
import type { DialStrategy } from './dial-strategy.js'
import { dialTeam } from './ring-group.js'

/** How the called party is dialled. */
export interface CalledRoute {
  /** Set if there is a single route, whose addresses are tried one after another. */
  route: Route | null
  /** @param ringTimeout seconds */
  ring(ringTimeout: number): DialStrategy<ConnectOutcome>
}

/** Ring time of the called party in seconds: no longer than the call may last. */
export function ringSeconds({ max_duration }: Call, ringTimeout: number): number {
  return Math.min(ringTimeout, max_duration)
}

interface Services {
  actions: Pick<DialContext, 'routing' | 'voiceAgents' | 'members' | 'queues'>
  credit: Pick<CreditWatch, 'holdFirst'>
  phoneNumber(call: Call): Promise<PhoneNumber | null>
}

export class CalledParty {
  constructor(private readonly services: Services) {}

  /** @returns why it cannot be dialled: the party is gone, may not be called, or its credit cannot be held */
  async routeTo(call: Call): Promise<CalledRoute | NoRoute> {
    const workspace = { id: call.workspace_id }
    const { routing, voiceAgents } = this.services.actions
    const to = await routing.find(workspace, call.to_number)
    if (to?.kind === 'team') return this.routeToCalledTeam(call, to.teamId)
    if (!to || to.kind === 'unavailable') return new NoRoute('gone')
    const route =
      to.kind === 'voice_agent'
        ? ((await voiceAgents.routeToCalled(call, to.voiceAgentId)) ?? new NoRoute('gone'))
        : await routing.route(workspace, await this.services.phoneNumber(call), to, call.from_number)
    if (route instanceof NoRoute) return route
    // The route may have changed since the call was accepted as free.
    if (!(await this.services.credit.holdFirst(call, route.rate))) return new NoRoute('no_credit')
    return {
      route,
      ring:
        (ringTimeout) =>
        async ({ dial }) =>
          dial(route, { ringTimeout }),
    }
  }

  private routeToCalledTeam(call: Call, teamId: string): CalledRoute {
    // The team members see the caller, as when a caller's script rings them.
    const seen: Call = { ...call, line: 'caller' }
    const context = { ...this.services.actions, call: seen, workspace: { id: call.workspace_id } }
    return {
      route: null,
      ring: (ringTimeout) => async (dialer) =>
        dialTeam(context, dialer, { teamId, strategy: 'ring-all', ringTimeout, ringback: null }),
    }
  }
}
