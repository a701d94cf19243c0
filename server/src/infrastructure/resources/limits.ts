/** How many of a thing a workspace may hold. */
import type { EntityManager } from 'typeorm'
import type { Owner, WorkspaceRow, WorkspaceTable } from '../database/workspace-table.js'
import { forbidden } from '../http/errors.js'
import { lockWorkspace } from './workspace-lock.js'

export interface CountLimit {
  max: number
  /** What is counted, in the plural: `phone numbers`. */
  what: string
}

/**
 * Lets a transaction that is about to insert one row go on only below the limit. The workspace stays
 * locked until the transaction ends, so that requests that race never end with one too many.
 * @throws 403 at the limit
 */
export async function checkLimit<E extends WorkspaceRow>(
  tx: EntityManager,
  table: WorkspaceTable<E>,
  workspace: Owner,
  { max, what }: CountLimit,
): Promise<void> {
  await lockWorkspace(tx, workspace)
  if ((await table.in(tx).count(workspace)) >= max) {
    throw forbidden(`The workspace holds ${max} ${what} already`)
  }
}
