/** The inbox that agents live in. */
import type { Logger } from 'pino'
import { ContactNames } from '../contacts/contact-names.js'
import { ConversationList } from '../conversations/conversation-list.js'
import { ConversationMessages } from '../conversations/conversation-messages.js'
import { ConversationNews } from '../conversations/conversation-news.js'
import { ConversationNotes } from '../conversations/conversation-note.service.js'
import { ConversationPresenter } from '../conversations/conversation.presenter.js'
import { ConversationService } from '../conversations/conversation.service.js'
import { ConversationWriter } from '../conversations/conversation-writer.js'
import { RecentAgents } from '../stream/recent-agents.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'
import type { Resources } from './resources.js'

/** Publishes changes of conversations and messages to agents. */
export function wireConversationNews({ database, hub }: Core, log: Logger) {
  const presenter = new ConversationPresenter(database, new ContactNames(database))
  return {
    conversationPresenter: presenter,
    news: new ConversationNews({ database, hub, presenter, log, agents: new RecentAgents(hub) }),
  }
}

export function wireConversations(core: Core, resources: Resources, wired: Messages) {
  const { database } = core
  const { news, presenter, conversationPresenter, messages, outbound } = wired
  const conversations = new ConversationService(database, news)
  resources.agents.alsoRelease(async (...agent) => conversations.releaseAgent(...agent))
  resources.teams.alsoRelease(async (...team) => conversations.releaseTeam(...team))
  return {
    ...{ presenter, conversationPresenter, conversations },
    conversationList: new ConversationList(database),
    conversationMessages: new ConversationMessages(database),
    conversationWriter: new ConversationWriter({
      ...{ database, messages, outbound, conversations, news },
      ...{ messagePresenter: presenter, presenter: conversationPresenter },
    }),
    notes: new ConversationNotes(database, conversations, news),
  }
}

export type Conversations = ReturnType<typeof wireConversations>
