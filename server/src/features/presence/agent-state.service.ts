/** States of agents as other agents see them. */
import type { Agent } from '../agents/agent.entity.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { ChoosableState } from '../agents/agent-state.js'
import type { AgentStateAnswer } from './agent-state.schema.js'
import type { ChosenStates } from './chosen-states.js'
import type { Presence } from './presence.js'

export class AgentStateService {
  constructor(
    private readonly presence: Presence,
    private readonly chosen: ChosenStates,
  ) {}

  async show(workspace: Owner, agent: Agent): Promise<AgentStateAnswer> {
    return (await this.showing(workspace, [agent]))(agent)
  }

  /** Presents the current states of some agents of one workspace. */
  async showing(workspace: Owner, agents: readonly Agent[]): Promise<(agent: Agent) => AgentStateAnswer> {
    const ids = agents.map(({ id }) => id)
    const [stateOf, chosen] = await Promise.all([
      this.presence.of(workspace, ids),
      this.chosen.of(workspace, ids),
    ])
    return ({ id, username, display_name }) => {
      const { state, since, call_id } = stateOf(id)
      const choice = chosen.get(id)
      return {
        ...{ agent_id: id, username, display_name, state, call_id },
        since: since?.toISOString() ?? null,
        chosen_state: choice?.state ?? 'available',
        chosen_by: choice?.chosen_by ?? null,
        chosen_at: choice?.chosen_at.toISOString() ?? null,
      }
    }
  }

  /** Chooses a state for an agent. @param by who chooses: the agent, or a leader or supervisor */
  async choose(workspace: Owner, agent: Agent, state: ChoosableState, by: string): Promise<AgentStateAnswer> {
    await this.chosen.choose(agent, state, by)
    return this.show(workspace, agent)
  }
}
