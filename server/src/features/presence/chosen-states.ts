/** States that agents choose, or that leaders and supervisors choose for them: what was chosen last holds. */
import { EventEmitter } from 'node:events'
import { In } from 'typeorm'
import type { Agent } from '../agents/agent.entity.js'
import { recordChange } from '../../infrastructure/database/audit.js'
import { type Database, isMissingReference } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { notFound } from '../../infrastructure/http/errors.js'
import type { ChoosableState } from '../agents/agent-state.js'
import { ChosenState } from './chosen-state.entity.js'

interface ChosenStatesEvents {
  changed: [agentId: string]
}

export class ChosenStates extends EventEmitter<ChosenStatesEvents> {
  constructor(private readonly database: Database) {
    super()
  }

  /** The choices of agents of a workspace who take no calls, by agent. @param ids only these */
  async of(workspace: Owner, ids?: readonly string[]): Promise<ReadonlyMap<string, ChosenState>> {
    const where = { workspace_id: workspace.id, ...(ids && { agent_id: In(ids as string[]) }) }
    const rows = await this.database.platformTable(ChosenState).findBy(where)
    return new Map(rows.map((row) => [row.agent_id, row]))
  }

  /**
   * Chooses a state. It replaces the previous choice, also one of another person.
   * @param by the agent who chooses: if it is not `agent` it is a leader or supervisor, and the change is audited
   * @throws 404 when the agent has just been deleted
   */
  async choose(
    agent: Pick<Agent, 'workspace_id' | 'id' | 'display_name'>,
    state: ChoosableState,
    by: string,
    reason: string | null = null,
  ): Promise<void> {
    const key = { workspace_id: agent.workspace_id, agent_id: agent.id }
    try {
      await this.database.transaction(async (tx) => {
        const before = await tx.findOne(ChosenState, { where: key, lock: { mode: 'pessimistic_write' } })
        const from = before?.state ?? 'available'
        if (from === state && before?.chosen_by === by && before.reason === reason) return
        if (state === 'available') await tx.delete(ChosenState, key)
        else
          await tx.upsert(
            ChosenState,
            { ...key, state, reason, chosen_by: by, chosen_at: new Date() },
            Object.keys(key),
          )
        if (by === agent.id || from === state) return
        await recordChange(tx, {
          workspace_id: agent.workspace_id,
          action: 'agent.state',
          target: { type: 'agent', id: agent.id, name: agent.display_name },
          changes: { state: { from, to: state } },
        })
      })
    } catch (error) {
      throw isMissingReference(error) ? notFound('Agent not found') : error
    }
    this.emit('changed', agent.id)
  }
}
