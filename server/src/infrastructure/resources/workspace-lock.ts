import type { EntityManager } from 'typeorm'
import { guardRow } from '../database/rows.js'
import type { Owner } from '../database/workspace-table.js'

/**
 * Locks a workspace's row until the transaction ends, so that count limits hold between requests
 * that race, on one server or several.
 */
export async function lockWorkspace(tx: EntityManager, workspace: Owner): Promise<void> {
  await guardRow(tx, 'workspaces', { text: 'id = ?', values: [workspace.id] })
}
