/** The inbox that agents live in. */
import { ConversationList } from '../../features/conversations/conversation-list.js'
import { ConversationMessages } from '../../features/conversations/conversation-messages.js'
import { ConversationNotes } from '../../features/conversations/conversation-note.service.js'
import { ConversationService } from '../../features/conversations/conversation.service.js'
import { ConversationWriter } from '../../features/conversations/conversation-writer.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'
import type { Resources } from './resources.js'

export function wireConversations(core: Core, resources: Resources, wired: Messages) {
  const { database } = core
  const { notifier, presenter, conversationPresenter, messages, outbound } = wired
  const conversations = new ConversationService(database, notifier)
  resources.agents.alsoRelease(async (...agent) => conversations.releaseAgent(...agent))
  resources.teams.alsoRelease(async (...team) => conversations.releaseTeam(...team))
  return {
    ...{ presenter, conversationPresenter, conversations },
    conversationList: new ConversationList(database),
    conversationMessages: new ConversationMessages(database),
    conversationWriter: new ConversationWriter({
      ...{ database, messages, outbound, conversations, notifier },
      ...{ messagePresenter: presenter, presenter: conversationPresenter },
    }),
    notes: new ConversationNotes(database, conversations, notifier),
  }
}

export type Conversations = ReturnType<typeof wireConversations>
