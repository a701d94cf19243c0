/** What one changes in a conversation: seen at once, taken back when the API refuses. */
import { dataOf } from '@jackfield/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client'
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
      // A list that it left may have to show it again.
      void client.invalidateQueries({ queryKey: listsKey })
      complain(error)
    },
  })
}

/** Marks as read. What cannot be marked now stays unread, and is tried when it is looked at again. */
export function useMarkRead() {
  const client = useQueryClient()
  const me = useMe()?.id
  return useMutation({
    mutationFn: async ({ id }: Conversation) =>
      dataOf(api.PATCH('/call-center/conversations/{id}/read', { params: { path: { id } } })),
    onMutate: (conversation) => putConversation(client, { ...conversation, unread_count: 0 }, me),
    onSuccess: (changed) => putConversation(client, changed, me),
    onError: () => void client.invalidateQueries({ queryKey: unreadKey }),
  }).mutate
}
