/** Conversations as agents see them, with the client's name and the latest message (contract, Conversation). */
import { type EntityManager, In } from 'typeorm'
import type { ContactNames, NamedContact } from '../contacts/contact-names.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { Message } from '../messages/message.entity.js'
import { shownNumber } from '../../lib/numbering/e164.js'
import type { Conversation } from './conversation.entity.js'
import type { ConversationAnswer } from './conversation.schema.js'

export class ConversationPresenter {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactNames,
  ) {}

  /** Presents conversations of one workspace, in their order. @param tx the transaction that may have changed them */
  async present(
    workspace: Owner,
    conversations: readonly Conversation[],
    tx?: EntityManager,
  ): Promise<ConversationAnswer[]> {
    const numbers = [...new Set(conversations.map(({ client_number }) => client_number))]
    const [messages, contacts] = [
      await this.lastMessages(workspace, conversations, tx),
      await this.contacts.of(workspace, numbers, tx),
    ]
    return conversations.map((one) =>
      shown(one, messages.get(one.last_message_id ?? ''), contacts.get(one.client_number)),
    )
  }

  /** Presents one. */
  async presentOne(conversation: Conversation, tx?: EntityManager): Promise<ConversationAnswer> {
    const [answer] = await this.present({ id: conversation.workspace_id }, [conversation], tx)
    if (!answer) throw new Error(`${conversation.id} was not presented`)
    return answer
  }

  private async lastMessages(
    workspace: Owner,
    conversations: readonly Conversation[],
    tx?: EntityManager,
  ): Promise<ReadonlyMap<string, Message>> {
    const ids = conversations.flatMap(({ last_message_id }) => last_message_id ?? [])
    if (ids.length === 0) return new Map()
    const rows = await this.database.platformTable(Message, tx).find({
      select: { id: true, body: true, direction: true, sender_type: true, sender_id: true, created_at: true },
      where: { id: In(ids), workspace_id: workspace.id },
    })
    return new Map(rows.map((row) => [row.id, row]))
  }
}

function shown(
  conversation: Conversation,
  last: Message | undefined,
  contact: NamedContact | undefined,
): ConversationAnswer {
  const { id, workspace_id, phone_number_id, system_number, client_number } = conversation
  const { assigned_agent_id, assigned_team_id, status, unread_count } = conversation
  return {
    ...{ id, workspace_id, phone_number_id },
    system_number: shownNumber(system_number),
    client_number: shownNumber(client_number),
    client_name: contact?.name ?? null,
    contact_id: contact?.id ?? null,
    ...{ assigned_agent_id, assigned_team_id, status, unread_count },
    last_message: last ? shownLast(last) : null,
    last_message_at: conversation.last_message_at?.toISOString() ?? null,
    last_read_at: conversation.last_read_at?.toISOString() ?? null,
    created_at: conversation.created_at.toISOString(),
    updated_at: conversation.updated_at.toISOString(),
  }
}

function shownLast({ id, body, direction, sender_type, sender_id, created_at }: Message) {
  return { id, body, direction, sender_type, sender_id, created_at: created_at.toISOString() }
}
