import { useQueryClient } from '@tanstack/react-query'
import { useMe } from '../../api/me'
import type { LiveEvent } from '../../live/live-stream'
import { useCatchingUp, useLiveEvents } from '../../live/live'
import { catchUp, isCurrent, putConversation, putMessages } from './live-cache'
import { type Conversation, type Message, notesKey } from './queries'

type ConversationEvent = LiveEvent & { conversation: Conversation; changed?: readonly string[] }

const messageEvents = [
  ...['message.received', 'message.sent', 'message.delivered', 'message.undelivered', 'message.failed'],
] as const

/**
 * Keeps the inbox's caches up to date, on every page of the console.
 * @param received called with each incoming message
 */
export function useInboxEvents(received: (message: Message, conversation: Conversation) => void): void {
  const client = useQueryClient()
  const me = useMe()?.id
  useCatchingUp(['inbox'])
  useLiveEvents(messageEvents, (event) => {
    const { conversation, ...rest } = event as ConversationEvent
    const message = rest as unknown as Message
    putConversation(client, conversation, me)
    putMessages(client, conversation.id, [message])
    if (event.event === 'message.received') received(message, conversation)
  })
  useLiveEvents(['conversation.updated'], (event) => {
    const { conversation, changed = [] } = event as ConversationEvent
    putConversation(client, conversation, me)
    if (changed.includes('notes')) void client.invalidateQueries({ queryKey: notesKey(conversation.id) })
    if (changed.includes('last_message') && !isCurrent(client, conversation)) {
      // If this fails, it is fetched when the connection is back.
      catchUp(client, conversation.id).catch(() => undefined)
    }
  })
}
