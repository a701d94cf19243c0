import { agent, apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { MessagePresenter } from '../messages/message.presenter.js'
import { MessageShape } from '../messages/message.schema.js'
import type { Deletions } from '../retention/deletions.js'
import type { ConversationList } from './conversation-list.js'
import type { ConversationMessages } from './conversation-messages.js'
import type { ConversationPresenter } from './conversation.presenter.js'
import type { ConversationWriter } from './conversation-writer.js'
import {
  ConversationShape,
  Reply,
  StartConversation,
  StartedConversationShape,
  UpdateConversation,
  conversationMessagesQuery,
  conversationQuery,
} from './conversation.schema.js'
import type { ConversationService } from './conversation.service.js'

const tag = 'Conversations'

/** Errors that all endpoints of one conversation share. */
const conversationErrors = { 404: 'No such conversation, or not one that the agent may see' }

const writingErrors = {
  403: 'A number that is not shared with a team of the agent, or a country that may not be reached',
  409: 'The Idempotency-Key was used for another request',
}

interface Services {
  conversations: ConversationService
  conversationList: ConversationList
  conversationMessages: ConversationMessages
  conversationWriter: ConversationWriter
  conversationPresenter: ConversationPresenter
  presenter: MessagePresenter
  deletions: Pick<Deletions, 'conversation'>
}

export function conversationEndpoints(services: Services) {
  const { conversations, conversationList, conversationMessages, conversationWriter } = services
  const { conversationPresenter, presenter, deletions } = services
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/conversations',
      summary: 'List conversations',
      description:
        'By their latest message, newest first. Leaders and supervisors see all; members see conversations of numbers that are shared with one of their teams or with all, and conversations that are assigned to them or to one of their teams.',
      tag,
      auth: agent(),
      query: conversationQuery,
      response: { 200: listOf(ConversationShape) },
      handler: async ({ workspace, actor, query }) => {
        const { rows, total } = await conversationList.page(workspace, actor, query)
        const shown = await conversationPresenter.present(workspace, rows)
        return listAnswer(query, { rows: shown, total }, (one) => one)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/conversations',
      summary: 'Write to a client',
      description:
        'Sends a message in the conversation of the two numbers, which is created if there is none. If it is unassigned, the agent gets it.',
      tag,
      auth: agent(),
      tier: 'sms',
      idempotent: true,
      body: StartConversation,
      response: { 201: StartedConversationShape },
      errors: writingErrors,
      handler: async ({ workspace, actor, body, idempotencyKey }) =>
        conversationWriter.start(workspace, actor, body, idempotencyKey),
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/conversations/:id',
      summary: 'Show a conversation',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: ConversationShape },
      errors: conversationErrors,
      handler: async ({ workspace, actor, params }) =>
        conversationPresenter.presentOne(await conversations.get(workspace, actor, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/conversations/:id/messages',
      summary: 'List the messages of a conversation',
      description:
        'Each page is ordered oldest first. Without cursors, page 1 begins with the first message of the conversation. With `before`, it has the latest messages before that time: a future time returns the end of the conversation, and the time of the first message shown returns the messages before it. With `after`, it has the earliest messages after that time. No two messages of a conversation have the same `created_at`.',
      tag,
      auth: agent(),
      params: idParams,
      query: conversationMessagesQuery,
      response: { 200: listOf(MessageShape) },
      errors: conversationErrors,
      handler: async ({ workspace, actor, params, query }) => {
        const conversation = await conversations.get(workspace, actor, params.id)
        const { rows, total } = await conversationMessages.page(conversation, query)
        return listAnswer(query, { rows: await presenter.present(rows), total }, (one) => one)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/conversations/:id/messages',
      summary: 'Reply in a conversation',
      tag,
      auth: agent(),
      tier: 'sms',
      idempotent: true,
      params: idParams,
      body: Reply,
      response: { 201: MessageShape },
      errors: { ...writingErrors, 403: 'A country that may not be reached', ...conversationErrors },
      handler: async ({ workspace, actor, params, body, idempotencyKey }) =>
        conversationWriter.reply(workspace, actor, params.id, body, idempotencyKey),
    }),
    endpoint({
      method: 'PATCH',
      path: '/call-center/conversations/:id/read',
      summary: 'Mark a conversation as read',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: ConversationShape },
      errors: conversationErrors,
      handler: async ({ workspace, actor, params }) =>
        conversationPresenter.presentOne(await conversations.read(workspace, actor, params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/call-center/conversations/:id',
      summary: 'Open, close or assign a conversation',
      description:
        'Members take unassigned conversations and reassign their own; leaders and supervisors assign all. The assignee may see the conversation.',
      tag,
      auth: agent(),
      params: idParams,
      body: UpdateConversation,
      response: { 200: ConversationShape },
      errors: { ...conversationErrors, 403: 'A member, and another agent has it' },
      handler: async ({ workspace, actor, params, body }) =>
        conversationPresenter.presentOne(await conversations.update(workspace, actor, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/conversations/:id',
      summary: 'Delete a conversation',
      description:
        'Also deletes its messages, their files and its notes. Their cost stays in the ledger and in the usage, and an opt-out of the client stays.',
      tag,
      auth: apiKey('full', ['owner', 'editor']),
      params: idParams,
      response: { 200: ConversationShape },
      errors: { 404: 'No such conversation', 409: 'A message of it is on its way' },
      handler: async ({ workspace, params }) => {
        const conversation = await conversationPresenter.presentOne(
          await conversations.find(workspace, params.id),
        )
        await deletions.conversation(workspace, params.id)
        return conversation
      },
    }),
  ]
}
