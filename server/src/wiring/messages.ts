/** Messages, the carriers that take and bring them, and the conversations that they make. */
import { ConversationStore } from '../conversations/conversation-store.js'
import { MessageChanges } from '../messages/message-changes.js'
import { MessageEvents } from '../messages/message-events.js'
import { MessagePresenter } from '../messages/message-presenter.js'
import type { Core } from './core.js'

export function wireMessages(core: Core) {
  const { database, credit, webhooks, urls } = core
  const presenter = new MessagePresenter(database, urls)
  const conversationStore = new ConversationStore()
  const events = new MessageEvents({ presenter, webhooks: webhooks.events, stream: () => undefined })
  const changes = new MessageChanges(events, credit)
  return { presenter, conversationStore, events, changes }
}

export type Messages = ReturnType<typeof wireMessages>
