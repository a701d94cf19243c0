/** Which agents may hand over a call, and who may end a transfer. */
import type { Owner } from '../database/workspace-table.js'
import type { AgentActor } from '../http/endpoint.js'
import { forbidden } from '../http/errors.js'
import type { MembershipService } from '../teams/membership.service.js'
import type { CallLeg } from './call-leg.entity.js'
import type { CallStore } from './call-store.js'

interface Services {
  store: Pick<CallStore, 'legsOf'>
  memberships: Pick<MembershipService, 'shareTeam'>
  /** Whether only those who are involved in a call may hand it over. */
  isForInvolved(workspace: Owner): Promise<boolean>
}

export class TransferRights {
  constructor(private readonly services: Services) {}

  /** @throws 403 to an agent who may not hand this call over */
  async checkStart(workspace: Owner, callId: string, by: AgentActor): Promise<void> {
    if (!(await this.services.isForInvolved(workspace)) || (await this.isInvolved(workspace, callId, by)))
      return
    throw forbidden('This needs an agent of the call, or a leader or supervisor of a team of theirs')
  }

  /**
   * @param begunBy username of the agent that began the transfer
   * @throws 403 to an agent who may not complete or cancel it
   */
  async checkEnd(workspace: Owner, callId: string, by: AgentActor, begunBy: string): Promise<void> {
    if (by.username === begunBy || (await this.isInvolved(workspace, callId, by))) return
    throw forbidden(
      'This needs who began the transfer, an agent of the call, or a leader or supervisor of a team of theirs',
    )
  }

  /** Whether an agent is in a call now, or leads or supervises a team of one of its agents. */
  private async isInvolved(workspace: Owner, callId: string, by: AgentActor): Promise<boolean> {
    if (by.is_admin) return true
    const legs = await this.services.store.legsOf(callId)
    // A ringing agent, such as the target of a transfer, is not in the call yet.
    const isIn = ({ role, answered_at, ended_at }: CallLeg) =>
      !ended_at && (role !== 'operator' || answered_at)
    if (legs.some((leg) => leg.agent_id === by.id && isIn(leg))) return true
    if (by.role !== 'leader' && by.role !== 'supervisor') return false
    const agents = new Set(legs.flatMap(({ agent_id }) => (agent_id && agent_id !== by.id ? [agent_id] : [])))
    for (const agent of agents) {
      if (await this.services.memberships.shareTeam(workspace, by.id, agent)) return true
    }
    return false
  }
}
