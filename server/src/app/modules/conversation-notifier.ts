import type { Logger } from 'pino'
import { ContactNames } from '../../features/contacts/contact-names.js'
import { ConversationNotifier } from '../../features/conversations/conversation-notifier.js'
import { ConversationPresenter } from '../../features/conversations/conversation.presenter.js'
import { RecentAgents } from '../../features/realtime/recent-agents.js'
import type { Core } from './core.js'

/** Publishes changes of conversations and messages to agents. */
export function wireConversationNotifier({ database, hub }: Core, log: Logger) {
  const presenter = new ConversationPresenter(database, new ContactNames(database))
  return {
    conversationPresenter: presenter,
    notifier: new ConversationNotifier({ database, hub, presenter, log, agents: new RecentAgents(hub) }),
  }
}
