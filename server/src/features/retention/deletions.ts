/** What people delete by hand: a call, a message, a conversation; each with an entry in the audit log. */
import type { EntityManager } from 'typeorm'
import { recordChange } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { conflict, notFound } from '../../infrastructure/http/errors.js'
import { type CallRemoval, type Deleted, sumOf } from './call-removal.js'
import { type MessageRemoval, messageStatusesUnderWay } from './message-removal.js'

interface Parts {
  database: Database
  calls: CallRemoval
  messages: MessageRemoval
}

const underWay = 'A message is on its way: it can be deleted once it was delivered or has failed'

export class Deletions {
  constructor(private readonly parts: Parts) {}

  /** Deletes a call with its recordings. @throws 404, 409 while it lives or is being recorded */
  async call(workspace: Owner, id: string): Promise<void> {
    const { database, calls } = this.parts
    await database.transaction(async (tx) => {
      const [call] = await tx.query<{ live: 1 | null }[]>(
        'SELECT live FROM calls WHERE id = ? AND workspace_id = ? FOR UPDATE',
        [id, workspace.id],
      )
      if (!call) throw notFound(`Call ${id} not found`)
      if (call.live) throw conflict('The call lives: it can be deleted once it has ended')
      const recorded = await tx.query<unknown[]>(
        `SELECT 1 FROM recordings WHERE workspace_id = ? AND call_id = ? AND status IN ('recording', 'paused')`,
        [workspace.id, id],
      )
      if (recorded.length > 0)
        throw conflict('The call is being recorded: it can be deleted once that has ended')
      await record(tx, workspace, 'call', id, await calls.removeIn(tx, workspace, [id], true))
    })
  }

  /** Deletes a message with its files. @throws 404, 409 while it is on its way */
  async message(workspace: Owner, id: string): Promise<void> {
    const { database, messages } = this.parts
    await database.transaction(async (tx) => {
      const deleted = await messages.removeIn(tx, workspace, [id])
      if (!deleted['messages']) {
        const [message] = await tx.query<unknown[]>(
          'SELECT 1 FROM messages WHERE id = ? AND workspace_id = ?',
          [...[id, workspace.id]],
        )
        throw message ? conflict(underWay) : notFound(`Message ${id} not found`)
      }
      await record(tx, workspace, 'message', id, deleted)
    })
  }

  /**
   * Deletes a conversation with its messages, their files and its notes: the messages in small steps, then itself.
   * @throws 404, 409 while a message of it is on its way, or one comes meanwhile
   */
  async conversation(workspace: Owner, id: string): Promise<void> {
    const { database, messages } = this.parts
    const waiting = await database.source.query<unknown[]>(
      'SELECT 1 FROM messages WHERE conversation_id = ? AND workspace_id = ? AND status IN (?) LIMIT 1',
      [id, workspace.id, messageStatusesUnderWay],
    )
    if (waiting.length > 0) throw conflict(underWay)
    const emptied = await messages.empty(workspace, id)
    await database.transaction(async (tx) => {
      const deleted = await messages.removeEmpty(tx, workspace, id)
      if (!deleted) throw conflict(underWay)
      if (!deleted['conversations']) throw notFound(`Conversation ${id} not found`)
      await record(tx, workspace, 'conversation', id, sumOf(emptied, deleted))
    })
  }
}

/** Says what was deleted and how much of it, and nothing of what it said. */
async function record(
  tx: EntityManager,
  { id: workspace_id }: Owner,
  type: string,
  id: string,
  deleted: Deleted,
): Promise<void> {
  const counts = Object.entries(deleted).filter(([, count]) => count > 0)
  await recordChange(tx, {
    workspace_id,
    action: `${type}.delete`,
    target: { type, id },
    changes: Object.fromEntries(counts.map(([table, count]) => [table, { from: count, to: 0 }])),
  })
}
