/**
 * Since when agents are in their states: what this server saw. It is kept in memory alone, as states are stored nowhere;
 * after a start, `since` of calls and of chosen states is known from their rows, and of others once they change.
 */
import type { AgentState } from './agent-state.js'

interface Seen {
  state: AgentState
  /** Null: it was so when this server first looked. */
  since: Date | null
  call_id: string | null
}

/** Some 20 MB. The agents who changed longest ago are forgotten beyond it. */
const maxSeen = 100_000

export class SeenStates {
  private readonly byAgent = new Map<string, Seen>()

  /** When an agent's state began; null when it is not known. */
  since(agentId: string, state: AgentState): Date | null {
    const seen = this.byAgent.get(agentId)
    return seen?.state === state ? seen.since : null
  }

  /**
   * Takes note of a state.
   * @returns whether the agent was seen otherwise before, or was not seen at all
   */
  note(agentId: string, { state, since, call_id }: Seen): boolean {
    const seen = this.byAgent.get(agentId)
    if (seen?.state === state && seen.call_id === call_id) return false
    this.byAgent.delete(agentId)
    this.byAgent.set(agentId, { state, since: seen?.state === state ? seen.since : since, call_id })
    if (this.byAgent.size > maxSeen) {
      const [oldest] = this.byAgent.keys()
      if (oldest !== undefined) this.byAgent.delete(oldest)
    }
    return true
  }
}
