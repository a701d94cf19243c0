import type { EntityManager } from 'typeorm'
import type { Owner } from '../database/workspace-table.js'

/** Tables without foreign keys: what they hold of a workspace goes with it. */
const tables = [
  ...['message_queue', 'message_segments', 'messages'],
  ...['opt_outs', 'conversation_notes', 'conversations'],
]

/** Deletes the messages and conversations of a workspace that is being deleted. */
export async function deleteMessages(tx: EntityManager, workspace: Owner): Promise<void> {
  for (const table of tables) await tx.query(`DELETE FROM ${table} WHERE workspace_id = ?`, [workspace.id])
}
