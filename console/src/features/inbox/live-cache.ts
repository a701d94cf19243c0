/** Writes events of the stream, and the agent's own changes, into the inbox's cached queries. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { ListAnswer } from '../../api/lists'
import {
  type Conversation,
  type Message,
  conversationKey,
  listsKey,
  messagesAfter,
  messagesKey,
  unreadKey,
} from './queries'
import type { ConversationFilter } from './search'

type Pages<Row> = InfiniteData<ListAnswer<Row>>

/** Updates a conversation in all caches. @param me id of the signed-in agent */
export function putConversation(
  client: QueryClient,
  conversation: Conversation,
  me: string | undefined,
): void {
  const { id } = conversation
  client.setQueryData<Conversation>(conversationKey(id), (known) =>
    known ? newer(known, conversation) : known,
  )
  client.setQueryData<string[]>(unreadKey, (ids) => ids && withUnread(ids, conversation))
  for (const [key, pages] of client.getQueriesData<Pages<Conversation>>({ queryKey: listsKey })) {
    const filter = key[listsKey.length] as ConversationFilter
    if (!pages) continue
    const next = withConversation(pages, conversation, filter, me)
    if (next !== pages) client.setQueryData(key, next)
    // When a row leaves, the next page starts one row earlier.
    const isShorter = countOf(next) < countOf(pages)
    if (isShorter && next.pages.some(({ meta }) => meta.total_pages > next.pages.length)) {
      void client.invalidateQueries({ queryKey: key, exact: true })
    }
  }
}

/** Inserts messages of a conversation; known ones are updated. */
export function putMessages(client: QueryClient, conversationId: string, messages: readonly Message[]): void {
  client.setQueryData<Pages<Message>>(
    messagesKey(conversationId),
    (known) => known && withMessages(known, messages),
  )
}

/** Fetches the messages after the last known one, when the stream reports more. */
export async function catchUp(client: QueryClient, conversationId: string): Promise<void> {
  const known = client.getQueryData<Pages<Message>>(messagesKey(conversationId))
  const last = known?.pages[0]?.data.at(-1)
  if (!last) {
    if (known) await client.invalidateQueries({ queryKey: messagesKey(conversationId) })
    return
  }
  putMessages(client, conversationId, await messagesAfter(conversationId, last.created_at))
}

/** Whether the latest message of a conversation is loaded, or none are. */
export function isCurrent(client: QueryClient, { id, last_message }: Conversation): boolean {
  const known = client.getQueryData<Pages<Message>>(messagesKey(id))
  return (
    !known || !last_message || known.pages.some(({ data }) => data.some((one) => one.id === last_message.id))
  )
}

/** A response may arrive after a later event: the newer state wins. */
function newer(one: Conversation, other: Conversation): Conversation {
  return momentOf(other) >= momentOf(one) ? other : one
}

function momentOf({ updated_at, last_message_at, last_read_at }: Conversation): string {
  return [updated_at, last_message_at ?? '', last_read_at ?? ''].sort().at(-1) ?? ''
}

function withUnread(ids: string[], { id, unread_count, status }: Conversation): string[] {
  const isUnread = unread_count > 0 && status === 'open'
  if (ids.includes(id) === isUnread) return ids
  return isUnread ? [id, ...ids] : ids.filter((one) => one !== id)
}

/** Inserts or moves a conversation in a list, or removes it if it no longer matches. */
function withConversation(
  list: Pages<Conversation>,
  conversation: Conversation,
  filter: ConversationFilter,
  me: string | undefined,
): Pages<Conversation> {
  const rows = list.pages.flatMap(({ data }) => data)
  const known = rows.find(({ id }) => id === conversation.id)
  const current = known ? newer(known, conversation) : conversation
  // The open conversation stays until it is left.
  const belongs = isListed(current, known ? { ...filter, unread: undefined } : filter, me)
  // Only the API can search: keep results, add none.
  const isShown = belongs && (known !== undefined || !filter.search)
  if (!isShown && !known) return list
  const others = rows.filter(({ id }) => id !== current.id)
  const sorted = isShown ? [...others, current].sort(byActivity) : others
  const hasMore = list.pages.some(({ meta }) => meta.total_pages > list.pages.length)
  // It belongs to a page that is not loaded.
  if (isShown && !known && hasMore && sorted.at(-1) === current) return list
  return inPages(list, sorted)
}

function isListed(
  { status, assigned_agent_id, phone_number_id, unread_count }: Conversation,
  filter: Omit<ConversationFilter, 'unread'> & { unread?: true | undefined },
  me: string | undefined,
): boolean {
  if (status !== (filter.status ?? 'open')) return false
  if (filter.view === 'mine' && assigned_agent_id !== me) return false
  if (filter.view === 'unassigned' && assigned_agent_id !== null) return false
  if (filter.number && phone_number_id !== filter.number) return false
  return !filter.unread || unread_count > 0
}

function byActivity(one: Conversation, other: Conversation): number {
  const [a, b] = [one.last_message_at ?? '', other.last_message_at ?? '']
  if (a !== b) return a < b ? 1 : -1
  return one.id < other.id ? 1 : -1
}

function withMessages(list: Pages<Message>, messages: readonly Message[]): Pages<Message> {
  const oldest = list.pages.at(-1)?.data[0]?.created_at
  const byId = new Map(list.pages.flatMap(({ data }) => data).map((one) => [one.id, one]))
  for (const message of messages) {
    const known = byId.get(message.id)
    // Older messages come with their own page.
    if (!known && oldest !== undefined && message.created_at < oldest) continue
    if (!known || message.updated_at >= known.updated_at) byId.set(message.id, message)
  }
  const sorted = [...byId.values()].sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
  // The last page has the earliest rows, so fill the pages from the end.
  const reversed = { ...list, pages: [...list.pages].reverse() }
  const dealt = inPages(reversed, sorted, 'last')
  return { ...dealt, pages: [...dealt.pages].reverse() }
}

/** Distributes rows over the existing pages; surplus rows go to the first page, or to the last. */
function inPages<Row>(list: Pages<Row>, rows: readonly Row[], grows: 'first' | 'last' = 'first'): Pages<Row> {
  const sizes = list.pages.map(({ data }) => data.length)
  const difference = rows.length - sizes.reduce((sum, size) => sum + size, 0)
  const growing = grows === 'first' ? 0 : sizes.length - 1
  let from = 0
  const pages = list.pages.map((page, index) => {
    const size = Math.max(0, (sizes[index] ?? 0) + (index === growing ? difference : 0))
    const isEnd = index === list.pages.length - 1
    const data = rows.slice(from, isEnd ? undefined : from + size)
    from += size
    const total = Math.max(0, page.meta.total + (index === growing ? difference : 0))
    return { ...page, data, meta: { ...page.meta, total } }
  })
  return { ...list, pages }
}

function countOf(list: Pages<unknown>): number {
  return list.pages.reduce((sum, { data }) => sum + data.length, 0)
}
