import type { EntityManager } from 'typeorm'
import type { Owner } from '../database/workspace-table.js'
import { Workspace } from './workspace.entity.js'

/**
 * Locks a workspace's row until the transaction ends, so that count limits hold between requests
 * that race, on one server or several.
 */
export async function lockWorkspace(tx: EntityManager, workspace: Owner): Promise<void> {
  await tx.findOne(Workspace, {
    where: { id: workspace.id },
    select: { id: true },
    lock: { mode: 'pessimistic_write' },
  })
}
