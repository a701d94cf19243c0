/** What agents do with their own account. */
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import { isPassword } from '../agents/passwords.js'
import type { Owner } from '../database/workspace-table.js'
import type { AgentActor } from '../http/endpoint.js'
import { invalidField } from '../http/errors.js'
import type { ChangeOwnPassword } from './me.schema.js'

export class MeService {
  constructor(private readonly agents: AgentService) {}

  /**
   * Changes the password of an agent who knows the one they have. They are logged out on all other devices, and their
   * softphones are off the registrar.
   * @throws 400 naming `current_password`
   */
  async changePassword(
    workspace: Owner,
    { id, session_id }: AgentActor,
    { current_password, new_password }: ChangeOwnPassword,
  ): Promise<Agent> {
    const agent = await this.agents.get(workspace, id)
    if (!(await isPassword(current_password, agent.password_hash))) {
      throw invalidField('current_password', 'current_password is wrong')
    }
    return this.agents.setPassword(workspace, id, new_password, { session: session_id })
  }
}
