/**
 * Presence of agents (contract, section Agent presence): derived from what reaches them in this moment,
 * and stored nowhere.
 */
import { type FindOperator, In, Not } from 'typeorm'
import type { Owner } from '../database/workspace-table.js'

export type AgentState = 'available' | 'incall' | 'busy' | 'offline'
type OnlineState = Exclude<AgentState, 'offline'>

/** Something that reaches agents, such as their live sessions: tells the state of those it reaches, by id. */
export interface PresenceSource {
  onlineIn(workspace: Owner): Promise<ReadonlyMap<string, OnlineState>>
}

/** Where sources differ, the state that stands first here is right. */
const precedence: readonly OnlineState[] = ['incall', 'busy', 'available']

export class AgentStates {
  constructor(private readonly sources: readonly PresenceSource[]) {}

  /** Tells the state of each agent of a workspace. */
  async of(workspace: Owner): Promise<(id: string) => AgentState> {
    const online = await this.onlineIn(workspace)
    return (id) => online.get(id) ?? 'offline'
  }

  /** The condition on an agent's id that it is in a state: nothing of presence stands in the database. */
  async being(workspace: Owner, state: AgentState): Promise<FindOperator<string>> {
    const online = [...(await this.onlineIn(workspace))]
    if (state === 'offline') return Not(In(online.map(([id]) => id)))
    return In(online.filter(([, one]) => one === state).map(([id]) => id))
  }

  private async onlineIn(workspace: Owner): Promise<Map<string, OnlineState>> {
    const found = await Promise.all(this.sources.map(async (source) => source.onlineIn(workspace)))
    const strongest = new Map<string, OnlineState>()
    for (const [id, state] of found.flatMap((states) => [...states])) {
      const known = strongest.get(id)
      if (!known || precedence.indexOf(state) < precedence.indexOf(known)) strongest.set(id, state)
    }
    return strongest
  }
}
