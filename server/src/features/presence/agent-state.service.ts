/** States of agents as other agents see them. */
import type { Agent } from '../agents/agent.entity.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { commonAwayReasons } from '../agents/agent-state.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { AgentStateAnswer, ChooseState } from './agent-state.schema.js'
import type { ChosenStates } from './chosen-states.js'
import type { Presence } from './presence.js'

export class AgentStateService {
  constructor(
    private readonly presence: Presence,
    private readonly chosen: ChosenStates,
    private readonly reasonsOf: (workspace: Owner) => Promise<readonly string[] | null>,
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
      const { state, is_ringing, since, call_id } = stateOf(id)
      const choice = chosen.get(id)
      return {
        ...{ agent_id: id, username, display_name, state, is_ringing, call_id },
        since: since?.toISOString() ?? null,
        chosen_state: choice?.state ?? 'available',
        reason: choice?.reason ?? null,
        chosen_by: choice?.chosen_by ?? null,
        chosen_at: choice?.chosen_at.toISOString() ?? null,
      }
    }
  }

  /** Why agents of a workspace may be away. */
  async awayReasons(workspace: Owner): Promise<readonly string[]> {
    return (await this.reasonsOf(workspace)) ?? commonAwayReasons
  }

  /**
   * Chooses a state for an agent.
   * @param by who chooses: the agent, or a leader or supervisor
   * @throws 400 a reason that the workspace does not offer, or with `available`
   */
  async choose(
    workspace: Owner,
    agent: Agent,
    { state, reason = null }: ChooseState,
    by: string,
  ): Promise<AgentStateAnswer> {
    if (reason !== null && state === 'available') {
      throw invalidField('reason', 'reason is for busy and offline alone')
    }
    if (reason !== null && !(await this.awayReasons(workspace)).includes(reason)) {
      throw invalidField('reason', 'reason is not one of the away_reasons of this workspace')
    }
    await this.chosen.choose(agent, state, by, reason)
    return this.show(workspace, agent)
  }
}
