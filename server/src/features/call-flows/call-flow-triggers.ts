import type { EntityManager } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { CallFlow, type TriggerType } from './call-flow.entity.js'

/** Reads the triggers of flows. Not part of the service, as phone numbers are created before it. */
export class CallFlowTriggers {
  /** Locks the flow's trigger until the transaction ends; null when the workspace has no such flow. */
  async lockedTrigger(tx: EntityManager, workspace: Owner, id: string): Promise<TriggerType | null> {
    const flow = await tx.findOne(CallFlow, {
      select: { id: true, trigger_type: true },
      where: { id, workspace_id: workspace.id },
      lock: { mode: 'pessimistic_read' },
    })
    return flow?.trigger_type ?? null
  }
}
