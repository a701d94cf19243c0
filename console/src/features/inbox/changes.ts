/** Changes of a conversation: applied optimistically, rolled back if the API refuses. */
import { dataOf } from '@jackfield/sdk'
import { useDocumentVisibility } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../api/client'
import { useConnection } from '../../api/connection'
import { useMe } from '../../api/me'
import { complain } from '../../api/use-action'
import { putConversation } from './live-cache'
import { type Conversation, listsKey, unreadKey } from './queries'

export type ConversationChange = Partial<
  Pick<Conversation, 'status' | 'assigned_agent_id' | 'assigned_team_id'>
>

/** Opens, closes and assigns. */
export function useConversationChange(conversation: Conversation) {
  const client = useQueryClient()
  const me = useMe()?.id
  return useMutation({
    mutationFn: async (body: ConversationChange) =>
      dataOf(
        api.PATCH('/call-center/conversations/{id}', { params: { path: { id: conversation.id } }, body }),
      ),
    onMutate: (body) => putConversation(client, { ...conversation, ...body }, me),
    onSuccess: (changed) => putConversation(client, changed, me),
    onError: (error) => {
      putConversation(client, conversation, me)
      // Refetch lists that no longer have it: they may need it again.
      void client.invalidateQueries({ queryKey: listsKey })
      complain(error)
    },
  })
}

/**
 * Marks a conversation as read while it is on screen. On failure it stays unread, and is retried when a message
 * arrives, when it is viewed again, and when the server is back.
 */
export function useReadWhileSeen(conversation: Conversation): void {
  const client = useQueryClient()
  const me = useMe()?.id
  const isSeen = useDocumentVisibility() === 'visible'
  const connection = useConnection()
  /** Unread count at the time of the failure. */
  const failed = useRef(0)
  const { mutate } = useMutation({
    mutationFn: async ({ id }: Conversation) =>
      dataOf(api.PATCH('/call-center/conversations/{id}/read', { params: { path: { id } } })),
    onMutate: (unread) => putConversation(client, { ...unread, unread_count: 0 }, me),
    onSuccess: (changed) => putConversation(client, changed, me),
    onError: (_, unread) => {
      failed.current = unread.unread_count
      putConversation(client, unread, me)
      void client.invalidateQueries({ queryKey: unreadKey })
    },
  })
  const { id, unread_count } = conversation
  useEffect(() => {
    failed.current = 0
  }, [id, isSeen, connection])
  useEffect(() => {
    if (isSeen && unread_count > 0 && unread_count !== failed.current) mutate(conversation)
  }, [id, isSeen, connection, unread_count])
}
