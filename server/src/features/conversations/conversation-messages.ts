/**
 * The messages of a conversation, page by page. Each has its place, so that none is counted; only where some were deleted
 * those that are left are.
 */
import type { Database } from '../../infrastructure/database/database.js'
import { entityOf } from '../../infrastructure/database/rows.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { Message } from '../messages/message.entity.js'
import type { Conversation } from './conversation.entity.js'
import type { ConversationMessagesQuery } from './conversation.schema.js'

export class ConversationMessages {
  constructor(private readonly database: Database) {}

  /**
   * With `before` alone the first page has the latest of the messages before it, else the earliest of all or of those
   * after `after`; each page is given oldest first.
   */
  async page(conversation: Conversation, query: ConversationMessagesQuery): Promise<Page<Message>> {
    return conversation.deleted_messages === 0
      ? this.pageOfPlaces(conversation, query)
      : this.pageOfRows(conversation, query)
  }

  private async pageOfPlaces(
    { id, message_count }: Conversation,
    { page, limit, before, after }: ConversationMessagesQuery,
  ): Promise<Page<Message>> {
    // Times are whole milliseconds: `before` a time means until the millisecond that precedes it.
    const [first, last] = await Promise.all([
      after === undefined ? 0 : this.placeAt(id, new Date(after)),
      before === undefined ? message_count : this.placeAt(id, new Date(Date.parse(before) - 1)),
    ])
    // Leave out messages that have come since the conversation was read.
    const end = Math.min(last, message_count)
    const total = Math.max(0, end - first)
    const skipped = Math.min((page - 1) * limit, total)
    const count = Math.min(limit, total - skipped)
    const fromEnd = before !== undefined && after === undefined
    const from = fromEnd ? end - skipped - count : first + skipped
    return { rows: count > 0 ? await this.between(id, from + 1, from + count) : [], total }
  }

  /** If positions are missing: counts and skips in an index without texts. */
  private async pageOfRows(
    { id }: Conversation,
    { page, limit, before, after }: ConversationMessagesQuery,
  ): Promise<Page<Message>> {
    const { source } = this.database
    const bounds = [
      { sql: 'conversation_id = ?', value: id },
      ...(after === undefined ? [] : [{ sql: 'created_at > ?', value: new Date(after) }]),
      ...(before === undefined ? [] : [{ sql: 'created_at < ?', value: new Date(before) }]),
    ]
    const from = `messages FORCE INDEX (messages_by_conversation) WHERE ${bounds.map(({ sql }) => sql).join(' AND ')}`
    const values = bounds.map(({ value }) => value)
    const [count] = await source.query<{ total: string }[]>(`SELECT COUNT(*) AS total FROM ${from}`, values)
    const total = Number(count?.total ?? 0)
    const skipped = Math.min((page - 1) * limit, total)
    const fromEnd = before !== undefined && after === undefined
    const rows = await source.query<Record<string, unknown>[]>(
      `SELECT message.* FROM (
         SELECT id FROM ${from} ORDER BY created_at ${fromEnd ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?
       ) page JOIN messages message ON message.id = page.id ORDER BY message.created_at`,
      [...values, Math.min(limit, total - skipped), skipped],
    )
    return { rows: rows.map((row) => entityOf(source.manager, Message, row)), total }
  }

  /** The position of the last message until a time, inclusive; 0 if there is none. */
  private async placeAt(conversationId: string, moment: Date): Promise<number> {
    const [row] = await this.database.source.query<{ position: number }[]>(
      `SELECT position FROM messages FORCE INDEX (messages_by_conversation)
       WHERE conversation_id = ? AND created_at <= ? ORDER BY created_at DESC LIMIT 1`,
      [conversationId, moment],
    )
    return row?.position ?? 0
  }

  private async between(conversationId: string, from: number, to: number): Promise<Message[]> {
    const { source } = this.database
    const rows = await source.query<Record<string, unknown>[]>(
      `SELECT * FROM messages FORCE INDEX (messages_by_position)
       WHERE conversation_id = ? AND position BETWEEN ? AND ? ORDER BY position`,
      [conversationId, from, to],
    )
    return rows.map((row) => entityOf(source.manager, Message, row))
  }
}
