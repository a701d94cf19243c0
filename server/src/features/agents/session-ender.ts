/** Ends an agent's sessions when the agent is deleted or deactivated, or gets another password. */
import type { EntityManager } from 'typeorm'

/** A session that has ended, of an agent on a device. */
export interface EndedSession {
  id: string
  workspace_id: string
  agent_id: string
  device_id: string
}

export interface SessionEnder {
  /**
   * Ends all sessions of an agent, or all but one, in the transaction.
   * @returns those that ended, for `reportEnded` once it is committed
   */
  closeAll(
    tx: EntityManager,
    agent: { workspace_id: string; id: string },
    except?: string,
  ): Promise<EndedSession[]>
  /** Publishes the end of sessions. */
  reportEnded(sessions: readonly EndedSession[]): void
  /** What is cached of an agent's sessions is read again. */
  dropCached(agentId: string): void
}
