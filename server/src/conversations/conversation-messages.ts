/**
 * The messages of a conversation, page by page, oldest first. Each knows its place, so that nothing is counted; and a
 * page is read from that end of the conversation which is nearer to it.
 */
import type { Database } from '../database/database.js'
import { entityOf } from '../database/rows.js'
import type { Page } from '../http/lists.js'
import { Message } from '../messages/message.entity.js'
import type { Conversation } from './conversation.entity.js'
import type { ConversationMessagesQuery } from './conversation.schema.js'

/** Moments and places between which messages stand; the first of the places is theirs, the last is not. */
interface Stretch {
  /** Messages are created after this… */
  readonly after: Date
  /** …and not after this. */
  readonly until: Date
  readonly total: number
}

const beginning = new Date(0)

export class ConversationMessages {
  constructor(private readonly database: Database) {}

  /**
   * With `before` alone the first page has the latest of the messages before it, else the earliest of all or of those
   * after `after`; each page is given oldest first.
   */
  async page(conversation: Conversation, query: ConversationMessagesQuery): Promise<Page<Message>> {
    const { page, limit, before, after } = query
    const stretch = await this.stretch(conversation, before, after)
    const { total } = stretch
    const skipped = (page - 1) * limit
    const count = Math.min(limit, total - skipped)
    if (count <= 0) return { rows: [], total }
    const fromEnd = before !== undefined && after === undefined
    const [ahead, behind] = fromEnd ? [total - skipped - count, skipped] : [skipped, total - skipped - count]
    const rows =
      ahead <= behind
        ? await this.read(conversation, stretch, { order: 'ASC', limit: count, offset: ahead })
        : await this.read(conversation, stretch, { order: 'DESC', limit: count, offset: behind })
    return { rows: rows.toSorted((one, other) => one.position - other.position), total }
  }

  private async stretch(
    { id, message_count, last_message_at }: Conversation,
    before: string | undefined,
    after: string | undefined,
  ): Promise<Stretch> {
    const newest = last_message_at ?? beginning
    const until = before === undefined ? newest : new Date(Math.min(Date.parse(before) - 1, newest.getTime()))
    const from = after === undefined ? beginning : new Date(after)
    const [last, first] = await Promise.all([
      until < newest ? this.countUntil(id, until) : message_count,
      from > beginning ? this.countUntil(id, from) : 0,
    ])
    return { after: from, until, total: Math.max(0, last - first) }
  }

  /** How many messages there are until a moment, that one included. */
  private async countUntil(conversationId: string, moment: Date): Promise<number> {
    const [row] = await this.database.source.query<{ position: number }[]>(
      `SELECT position FROM messages WHERE conversation_id = ? AND created_at <= ?
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      [conversationId, moment],
    )
    return row?.position ?? 0
  }

  private async read(
    { id }: Conversation,
    { after, until }: Stretch,
    { order, limit, offset }: { order: 'ASC' | 'DESC'; limit: number; offset: number },
  ): Promise<Message[]> {
    const { source } = this.database
    const rows = await source.query<Record<string, unknown>[]>(
      `SELECT message.* FROM (
         SELECT id FROM messages FORCE INDEX (messages_by_conversation)
         WHERE conversation_id = ? AND created_at > ? AND created_at <= ?
         ORDER BY created_at ${order}, id ${order} LIMIT ? OFFSET ?
       ) page JOIN messages message ON message.id = page.id`,
      [id, after, until, limit, offset],
    )
    return rows.map((row) => entityOf(source.manager, Message, row))
  }
}
