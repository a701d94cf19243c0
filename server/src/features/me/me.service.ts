/** What agents do with their own account. */
import type { Agent } from '../agents/agent.entity.js'
import type { AgentService } from '../agents/agent.service.js'
import type { AuthService } from '../auth/auth.service.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { ChangeOwnPassword, UpdateMe } from './me.schema.js'

export class MeService {
  constructor(
    private readonly agents: AgentService,
    private readonly auth: AuthService,
  ) {}

  /**
   * Changes what agents may of themselves. Another e-mail needs the password: it is what the account is recovered by.
   * @throws 400 naming `current_password`, 409 when the e-mail is taken, 429 after too many wrong passwords
   */
  async update(
    workspace: Owner,
    { id, session_id }: AgentActor,
    { current_password, ...changes }: UpdateMe,
  ): Promise<Agent> {
    const agent = await this.agents.get(workspace, id)
    if (changes.email !== undefined && changes.email !== agent.email) {
      if (current_password === undefined)
        throw invalidField('current_password', 'current_password is required to change the e-mail')
      await this.prove(workspace, agent, current_password, session_id)
    }
    return this.agents.update(workspace, id, changes)
  }

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
    await this.prove(workspace, await this.agents.get(workspace, id), current_password, session_id)
    return this.agents.setPassword(workspace, id, new_password, { session: session_id })
  }

  private async prove(workspace: Owner, agent: Agent, password: string, session: string): Promise<void> {
    if (await this.auth.knowsPassword(workspace, agent, password, session)) return
    throw invalidField('current_password', 'current_password is wrong')
  }
}
