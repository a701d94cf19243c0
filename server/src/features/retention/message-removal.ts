/** Deletes messages that are not on their way, with their files. Their usage and what was charged for them stay. */
import type { EntityManager } from 'typeorm'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type Deleted, sumOf } from './call-removal.js'
import { detachEntries, keepUsageOfMessages } from './usage-days.js'

/** Of messages whose status may still change. */
export const messageStatusesUnderWay = ['queued', 'sending', 'sent'] as const

/** Messages that one transaction deletes. */
const messagesAtOnce = 200

interface Parts {
  database: Database
  /** Deletes the files of messages a moment after the transaction. @returns how many */
  deleteFiles: (tx: EntityManager, messageIds: readonly string[]) => Promise<number>
  /** Publishes to agents that a conversation has another last message now. */
  changed: (workspace: Owner, conversationId: string) => void
}

interface Row {
  id: string
  conversation_id: string
  direction: 'inbound' | 'outbound'
  created_at: Date
}

interface ConversationRow {
  id: string
  last_message_id: string | null
  last_read_at: Date | null
}

export class MessageRemoval {
  constructor(private readonly parts: Parts) {}

  /** @param ids of few messages; those that are on their way, and those of others, are left alone */
  async remove(workspace: Owner, ids: readonly string[]): Promise<Deleted> {
    return this.parts.database.transaction(async (tx) => this.removeIn(tx, workspace, ids))
  }

  /** The same in a transaction. */
  async removeIn(tx: EntityManager, workspace: Owner, ids: readonly string[]): Promise<Deleted> {
    const conversations = await lockConversations(tx, workspace, ids)
    const rows = await tx.query<Row[]>(
      `SELECT id, conversation_id, direction, created_at FROM messages
       WHERE id IN (?) AND workspace_id = ? AND status NOT IN (?) ORDER BY id FOR UPDATE`,
      [ids, workspace.id, messageStatusesUnderWay],
    )
    const own = rows.map(({ id }) => id)
    if (own.length === 0) return {}
    const attachments = await this.parts.deleteFiles(tx, own)
    await keepUsageOfMessages(tx, own)
    await detachEntries(tx, ['message', 'message_refund'], own)
    for (const table of ['message_segments', 'message_queue'])
      await tx.query(`DELETE FROM ${table} WHERE message_id IN (?)`, [own])
    await tx.query('DELETE FROM messages WHERE id IN (?)', [own])
    for (const conversation of conversations) {
      const deleted = rows.filter((row) => row.conversation_id === conversation.id)
      if (deleted.length > 0) await this.shrink(tx, workspace, conversation, deleted)
    }
    return { messages: own.length, message_attachments: attachments }
  }

  /** The first messages of a conversation that are not on their way: their ids. */
  async oldestOf(workspace: Owner, conversationId: string, limit: number): Promise<string[]> {
    const rows = await this.parts.database.source.query<{ id: string }[]>(
      `SELECT id FROM messages FORCE INDEX (messages_by_position)
       WHERE conversation_id = ? AND workspace_id = ? AND status NOT IN (?) ORDER BY position LIMIT ?`,
      [conversationId, workspace.id, messageStatusesUnderWay, limit],
    )
    return rows.map(({ id }) => id)
  }

  /** Deletes the messages of a conversation that are not on their way, in small steps. */
  async empty(workspace: Owner, conversationId: string): Promise<Deleted> {
    let deleted: Deleted = {}
    for (;;) {
      const ids = await this.oldestOf(workspace, conversationId, messagesAtOnce)
      if (ids.length === 0) return deleted
      deleted = sumOf(deleted, await this.remove(workspace, ids))
    }
  }

  /** Deletes a conversation that has no messages, with its notes. @returns null when it has some */
  async removeEmpty(tx: EntityManager, workspace: Owner, id: string): Promise<Deleted | null> {
    const [row] = await tx.query<{ message_count: number }[]>(
      'SELECT message_count FROM conversations WHERE id = ? AND workspace_id = ? FOR UPDATE',
      [id, workspace.id],
    )
    if (!row) return {}
    if (row.message_count > 0) return null
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      'DELETE FROM conversation_notes WHERE conversation_id = ?',
      [id],
    )
    await tx.query('DELETE FROM conversations WHERE id = ?', [id])
    return { conversations: 1, conversation_notes: affectedRows }
  }

  /** A conversation has lost messages. */
  private async shrink(
    tx: EntityManager,
    workspace: Owner,
    { id, last_message_id, last_read_at }: ConversationRow,
    deleted: readonly Row[],
  ): Promise<void> {
    const unread = deleted.filter(
      ({ direction, created_at }) => direction === 'inbound' && (!last_read_at || created_at > last_read_at),
    ).length
    await tx.query(
      `UPDATE conversations SET message_count = message_count - ?, deleted_messages = deleted_messages + ?,
         unread_count = unread_count - LEAST(unread_count, ?) WHERE id = ?`,
      [deleted.length, deleted.length, unread, id],
    )
    if (deleted.some((row) => row.id === last_message_id)) {
      const [last] = await tx.query<{ id: string; created_at: Date }[]>(
        `SELECT id, created_at FROM messages FORCE INDEX (messages_by_conversation)
         WHERE conversation_id = ? ORDER BY created_at DESC LIMIT 1`,
        [id],
      )
      await tx.query('UPDATE conversations SET last_message_id = ?, last_message_at = ? WHERE id = ?', [
        ...[last?.id ?? null, last?.created_at ?? null, id],
      ])
      afterCommit(tx, () => this.parts.changed(workspace, id))
    }
  }
}

/** Conversations are locked before their messages, as they are where a message comes. */
async function lockConversations(
  tx: EntityManager,
  workspace: Owner,
  messageIds: readonly string[],
): Promise<ConversationRow[]> {
  const found = await tx.query<{ id: string }[]>(
    'SELECT DISTINCT conversation_id AS id FROM messages WHERE id IN (?) AND workspace_id = ?',
    [messageIds, workspace.id],
  )
  if (found.length === 0) return []
  return tx.query(
    'SELECT id, last_message_id, last_read_at FROM conversations WHERE id IN (?) ORDER BY id FOR UPDATE',
    [found.map(({ id }) => id)],
  )
}
