/** Agents as the API shows them. */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Agent } from './agent.entity.js'
import type { AgentAnswer } from './agent.schema.js'
import type { AgentStates } from './agent-state.js'
import { agentsDomain } from '../workspaces/sip-domains.js'
import type { Avatars } from './avatars.js'

export class AgentPresenter {
  constructor(
    private readonly presence: Pick<AgentStates, 'of'>,
    private readonly avatars: Avatars,
    private readonly sipDomain: string,
  ) {}

  /** Presents agents of one workspace in their present state. @param agents those that will be presented */
  async presenting(workspace: Owner, agents?: readonly Agent[]): Promise<(agent: Agent) => AgentAnswer> {
    const stateOf = await this.presence.of(
      workspace,
      agents?.map(({ id }) => id),
    )
    return (agent) => {
      const { state, is_ringing } = stateOf(agent.id)
      return {
        id: agent.id,
        workspace_id: agent.workspace_id,
        username: agent.username,
        domain: agentsDomain(agent.workspace_id, this.sipDomain),
        display_name: agent.display_name,
        email: agent.email,
        avatar: this.avatars.urlOf(agent),
        role: agent.role,
        is_admin: agent.is_admin,
        state,
        is_ringing,
        is_active: agent.is_active,
        voicemail_by_email: agent.voicemail_by_email,
        country_code: agent.country_code,
        created_at: agent.created_at.toISOString(),
        updated_at: agent.updated_at.toISOString(),
      }
    }
  }

  async present(workspace: Owner, agent: Agent): Promise<AgentAnswer> {
    return (await this.presenting(workspace, [agent]))(agent)
  }
}
