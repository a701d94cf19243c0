/** Presence of agents (contract, section Agent presence). */
import type { FindOperator } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'

export const agentStates = ['available', 'incall', 'busy', 'offline'] as const
export type AgentState = (typeof agentStates)[number]

/** The states that an agent may choose, or have chosen for them. */
export const choosableStates = ['available', 'busy', 'offline'] as const
export type ChoosableState = (typeof choosableStates)[number]

/** Why agents may be away where their workspace has no list of its own. */
export const commonAwayReasons: readonly string[] = ['break', 'lunch', 'meeting', 'training', 'other']

/** How an agent can be reached, or why they are busy. */
export interface AgentPresence {
  /** `busy`: a call rings there, or the agent listens to one as a supervisor. */
  readonly state: Exclude<AgentState, 'offline'>
  /** Whether they are busy because a call rings there. */
  readonly is_ringing?: boolean
  /** The call that rings, or that the agent is in. */
  readonly call_id?: string
  /** When the state began, where that is known. */
  readonly since?: Date
}

/** Something that reaches agents, such as their live sessions. */
export interface PresenceSource {
  /**
   * The agents that it reaches, by id.
   * @param ids asks only for these agents; the result may contain others
   */
  onlineIn(workspace: Owner, ids?: readonly string[]): Promise<ReadonlyMap<string, AgentPresence>>
}

/** The state of an agent, as it is shown. */
export interface ShownState {
  readonly state: AgentState
  /** Whether they are busy because a call rings them. */
  readonly is_ringing: boolean
  /** When it began; null where that was before this server looked. */
  readonly since: Date | null
  /** The call that rings, or that the agent is in. */
  readonly call_id: string | null
  /** Why the agent chose to take no calls. */
  readonly reason: string | null
}

/** The present states of a workspace's agents. */
export interface AgentStates {
  /** Maps an agent's id to the agent's state. @param ids asks only for these agents */
  of(workspace: Owner, ids?: readonly string[]): Promise<(id: string) => ShownState>
  /** The condition on an agent's id that it is in a state. */
  being(workspace: Owner, state: AgentState): Promise<FindOperator<string>>
}
