/** Which agents may transfer a call, and who may end a transfer. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../../infrastructure/http/endpoint.js'
import { forbidden } from '../../../infrastructure/http/errors.js'
import type { MembershipService } from '../../teams/membership.service.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallStore } from '../model/call-store.js'

interface Services {
  store: Pick<CallStore, 'legsOf'>
  memberships: Pick<MembershipService, 'shareTeam'>
  /** True if only those involved in a call may transfer it. */
  isForInvolved(workspace: Owner): Promise<boolean>
}

export class TransferRights {
  constructor(private readonly services: Services) {}

  /** @throws 403 for an agent who may not transfer this call */
  async checkStart(workspace: Owner, callId: string, by: AgentActor): Promise<void> {
    if (!(await this.services.isForInvolved(workspace)) || (await this.isInvolved(workspace, callId, by)))
      return
    throw forbidden(
      'Only an agent of the call, or a leader or supervisor of a team of such an agent, may do this',
    )
  }

  /**
   * @param begunBy username of the agent that started the transfer
   * @throws 403 for an agent who may not complete or cancel it
   */
  async checkEnd(workspace: Owner, callId: string, by: AgentActor, begunBy: string): Promise<void> {
    if (by.username === begunBy || (await this.isInvolved(workspace, callId, by))) return
    throw forbidden(
      'Only the agent who started the transfer, an agent of the call, or a leader or supervisor of a team of such an agent, may do this',
    )
  }

  /** True if an agent is in the call now, or leads or supervises a team of one of its agents. */
  private async isInvolved(workspace: Owner, callId: string, by: AgentActor): Promise<boolean> {
    if (by.is_admin) return true
    const legs = await this.services.store.legsOf(callId)
    // A ringing agent, such as the target of a transfer, is not in the call yet.
    const isIn = ({ role, answered_at, ended_at }: CallLeg) =>
      !ended_at && (role !== 'destination' || answered_at)
    if (legs.some((leg) => leg.agent_id === by.id && isIn(leg))) return true
    if (by.role !== 'leader' && by.role !== 'supervisor') return false
    const agents = new Set(legs.flatMap(({ agent_id }) => (agent_id && agent_id !== by.id ? [agent_id] : [])))
    for (const agent of agents) {
      if (await this.services.memberships.shareTeam(workspace, by.id, agent)) return true
    }
    return false
  }
}
