/** What agents do with their own account. */
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import type { AuthService } from '../auth/auth.service.js'
import type { Owner } from '../database/workspace-table.js'
import type { AgentActor } from '../http/endpoint.js'
import { invalidField } from '../http/errors.js'
import type { ChangeOwnPassword } from './me.schema.js'

export class MeService {
  constructor(
    private readonly agents: AgentService,
    private readonly auth: AuthService,
  ) {}

  /**
   * Changes the password of an agent who knows the one they have. They are logged out on all other devices, and their
   * softphones are off the registrar.
   * @throws 400 naming `current_password`, 429 after too many wrong ones
   */
  async changePassword(
    workspace: Owner,
    { id, session_id }: AgentActor,
    { current_password, new_password }: ChangeOwnPassword,
  ): Promise<Agent> {
    const agent = await this.agents.get(workspace, id)
    if (!(await this.auth.knowsPassword(workspace, agent, current_password))) {
      throw invalidField('current_password', 'current_password is wrong')
    }
    return this.agents.setPassword(workspace, id, new_password, { session: session_id })
  }
}
