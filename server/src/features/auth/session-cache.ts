/** Sessions that were checked lately: an app sends several requests a second, and each of them is checked. */
import type { AgentActor } from '../../infrastructure/http/endpoint.js'

/** The agent of a session, as the database has it. */
export type SessionAgent = Omit<AgentActor, 'kind' | 'expires_at'>

/** What another server changes is seen when an entry's time is over; what this one changes, at once. */
const retainedMs = 2_000
const maxEntries = 10_000

export class SessionCache {
  private readonly entries = new Map<string, { agent: SessionAgent; until: number }>()
  /** How often something was forgotten. */
  private changes = 0

  /** A session's agent from the cache, or from `load`. */
  async get(sessionId: string, load: () => Promise<SessionAgent | null>): Promise<SessionAgent | null> {
    const entry = this.entries.get(sessionId)
    if (entry && entry.until > Date.now()) return entry.agent
    const { changes } = this
    const agent = await load()
    // What was read before a change must not be kept after it.
    if (agent && changes === this.changes) this.keep(sessionId, agent)
    return agent
  }

  forget(sessionId: string): void {
    this.changes++
    this.entries.delete(sessionId)
  }

  /** Forgets all sessions of an agent. */
  forgetAgent(agentId: string): void {
    this.changes++
    for (const [sessionId, { agent }] of this.entries) {
      if (agent.id === agentId) this.entries.delete(sessionId)
    }
  }

  private keep(sessionId: string, agent: SessionAgent): void {
    if (this.entries.size >= maxEntries) this.entries.clear()
    this.entries.set(sessionId, { agent, until: Date.now() + retainedMs })
  }
}
