/** Sends agents' messages to clients. */
import type { EntityManager } from 'typeorm'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import type { MessagePresenter, ShownMessage } from '../messages/message.presenter.js'
import type { MessageService } from '../messages/message.service.js'
import type { AcceptedMessage, NewMessage, OutboundMessages } from '../messages/outbound-messages.js'
import { Conversation } from './conversation.entity.js'
import type { ConversationNotifier } from './conversation-notifier.js'
import type { ConversationPresenter } from './conversation.presenter.js'
import { checkMayWriteFrom } from './conversation-scope.js'
import type { ConversationService } from './conversation.service.js'
import type { ConversationAnswer, Reply, StartConversation } from './conversation.schema.js'

interface Options {
  database: Database
  messages: MessageService
  outbound: OutboundMessages
  conversations: ConversationService
  messagePresenter: MessagePresenter
  presenter: ConversationPresenter
  notifier: ConversationNotifier
}

/** A message that an agent has written, and the conversation as it is with it. */
interface Written {
  message: ShownMessage
  conversation: ConversationAnswer
}

export class ConversationWriter {
  constructor(private readonly options: Options) {}

  /**
   * Writes to a client, in the conversation that there is or a new one.
   * @param key the same message for all requests with it
   * @throws 400 naming what will not do, 403 a number that is not shared with the agent, 409 the key was used for another
   */
  async start(
    workspace: Owner,
    agent: AgentActor,
    { client_number, ...input }: StartConversation,
    key?: string,
  ): Promise<Written> {
    await checkMayWriteFrom(this.options.database, workspace, agent, input.from.slice(1))
    return this.write(workspace, agent, { ...input, to: client_number }, { key })
  }

  /** Writes in a conversation that the agent sees. @throws as {@link start}, and 404 */
  async reply(
    workspace: Owner,
    agent: AgentActor,
    id: string,
    input: Reply,
    key?: string,
  ): Promise<ShownMessage> {
    const { system_number, client_number } = await this.options.conversations.get(workspace, agent, id)
    const from = (await this.lastOriginator(workspace, id)) ?? `+${system_number}`
    const message = { ...input, from, to: `+${client_number}` }
    return (await this.write(workspace, agent, message, { key, id })).message
  }

  /** The short code that the client wrote to last, while a number of the workspace has it. */
  private async lastOriginator(workspace: Owner, conversationId: string): Promise<string | null> {
    const [last] = await this.options.database.source.query<{ originator: string | null }[]>(
      `SELECT own.originator FROM (SELECT originator FROM messages WHERE conversation_id = ? AND direction = 'inbound'
         ORDER BY created_at DESC LIMIT 1) last
       JOIN number_originators own ON own.originator = last.originator AND own.workspace_id = ?`,
      [conversationId, workspace.id],
    )
    return last?.originator ?? null
  }

  /** @param id of the conversation that it must be */
  private async write(
    workspace: Owner,
    { id: agentId }: AgentActor,
    input: NewMessage,
    { key, id }: { key: string | undefined; id?: string },
  ): Promise<Written> {
    const { messages, outbound } = this.options
    return messages.once(
      workspace,
      { key, request: { agent: agentId, conversation: id, ...input } },
      async () =>
        outbound.prepare(workspace, { type: 'agent', id: agentId }, input, { toField: 'client_number' }),
      async (tx, accepted) => this.written(tx, accepted, id),
    )
  }

  private async written(
    tx: EntityManager,
    { message, conversation }: AcceptedMessage,
    id = conversation.id,
  ): Promise<Written> {
    const { messagePresenter, presenter, notifier } = this.options
    // The number was deleted and added again: messages from it belong to another conversation.
    if (conversation.id !== id) throw invalidField('from', 'The number of this conversation has been deleted')
    const [shown] = await messagePresenter.present([message], tx)
    if (!shown) throw new Error(`${message.id} was not presented`)
    afterCommit(tx, () => notifier.changed(conversation.workspace_id, conversation.id, ['last_message']))
    const changed = await tx.findOneByOrFail(Conversation, { id })
    return { message: shown, conversation: await presenter.presentOne(changed, tx) }
  }
}
