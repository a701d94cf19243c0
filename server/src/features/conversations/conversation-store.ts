/** Conversations as messages make and move them: one for each pair of a number of ours and a client. */
import type { EntityManager } from 'typeorm'
import { isDuplicate } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { entityOf, insertRows, updateRows } from '../../infrastructure/database/rows.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Conversations, NewMessage, Pair } from '../messages/message-conversations.js'
import { Conversation } from './conversation.entity.js'

export class ConversationStore implements Conversations<Conversation> {
  /** The conversation of a pair, created if there is none; locked until the transaction ends. */
  async lockOf(tx: EntityManager, workspace: Owner, pair: Pair): Promise<Conversation> {
    const known = await this.find(tx, workspace, pair)
    if (known) return known
    const now = new Date()
    const conversation: Conversation = {
      ...{ id: newId('conv'), workspace_id: workspace.id },
      phone_number_id: pair.phone_number_id,
      system_number: pair.system_number,
      client_number: pair.client_number,
      ...{ assigned_agent_id: null, assigned_team_id: null, status: 'open' },
      ...{
        unread_count: 0,
        message_count: 0,
        deleted_messages: 0,
        last_message_id: null,
        last_message_at: null,
        last_read_at: null,
      },
      ...{ created_at: now, updated_at: now },
    }
    try {
      await insertRows(tx, Conversation, [conversation])
      return conversation
    } catch (error) {
      const made = isDuplicate(error) ? await this.find(tx, workspace, pair) : null
      if (!made) throw error
      return made
    }
  }

  /**
   * Adds a message to a conversation that the transaction has locked. The conversation moves to the top and is open; an
   * inbound message counts as unread; an agent who writes in an unassigned conversation gets it (contract, Conversation
   * status).
   * @param message has the position of `nextPlace`
   * @returns the changed conversation
   */
  async add(tx: EntityManager, conversation: Conversation, message: NewMessage): Promise<Conversation> {
    const isInbound = message.direction === 'inbound'
    const { last_message_at, assigned_agent_id, message_count } = conversation
    const changes: Partial<Conversation> = {
      message_count: message_count + 1,
      last_message_id: message.id,
      last_message_at:
        last_message_at && last_message_at > message.created_at ? last_message_at : message.created_at,
      status: 'open',
      ...(isInbound && { unread_count: conversation.unread_count + 1 }),
      ...(message.agent_id !== null && assigned_agent_id === null && { assigned_agent_id: message.agent_id }),
      updated_at: message.created_at,
    }
    await updateRows(tx, Conversation, { id: conversation.id }, changes)
    return { ...conversation, ...changes }
  }

  private async find(tx: EntityManager, workspace: Owner, pair: Pair): Promise<Conversation | null> {
    const [row] = await tx.query<Record<string, unknown>[]>(
      `SELECT * FROM conversations WHERE workspace_id = ? AND phone_number_id = ? AND client_number = ? FOR UPDATE`,
      [workspace.id, pair.phone_number_id, pair.client_number],
    )
    return row ? entityOf(tx, Conversation, row) : null
  }
}
