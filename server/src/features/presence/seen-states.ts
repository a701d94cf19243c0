/**
 * Which states of agents this server has seen, and since when. It is kept in memory alone, as states are stored nowhere:
 * after a start, `since` of calls and of chosen states is known from their rows, and that of others once they change.
 */
import type { AgentState, ShownState } from '../agents/agent-state.js'

/** Some 20 MB. Beyond it, the agents who changed longest ago are dropped. */
const maxSeen = 100_000

interface Seen extends ShownState {
  readonly workspace_id: string
  /** Whether it was published. */
  readonly published: boolean
}

export class SeenStates {
  private readonly byAgent = new Map<string, Seen>()

  /** When an agent's state began; null when it is not known. */
  since(agentId: string, state: AgentState): Date | null {
    const seen = this.byAgent.get(agentId)
    return seen?.state === state ? seen.since : null
  }

  find(agentId: string): Seen | undefined {
    return this.byAgent.get(agentId)
  }

  /** All agents whose published state is not offline. */
  *published(): Iterable<[agentId: string, seen: Seen]> {
    for (const entry of this.byAgent) if (entry[1].published && entry[1].state !== 'offline') yield entry
  }

  /** Agents that were seen with another state than offline, by workspace. */
  online(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>()
    for (const [id, { workspace_id, state }] of this.byAgent) {
      if (state === 'offline') continue
      const ids = found.get(workspace_id)
      if (ids) ids.push(id)
      else found.set(workspace_id, [id])
    }
    return found
  }

  note(agentId: string, shown: Seen): void {
    this.byAgent.delete(agentId)
    this.byAgent.set(agentId, shown)
    if (this.byAgent.size <= maxSeen) return
    const [oldest] = this.byAgent.keys()
    if (oldest !== undefined) this.byAgent.delete(oldest)
  }
}
