/** Queries of the inbox. The event stream keeps them up to date (live-cache.ts). */
import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import type { ChoiceSource } from '../../api/choices'
import { api } from '../../api/client'
import { e164 } from '../../api/e164'
import { searchedNumber } from '../../api/written-number'
import { type ListAnswer } from '../../api/lists'
import { queryClient } from '../../api/query-client'
import type { ConversationFilter } from './search'
import { keyOf, listQuery } from '../../api/resources'

export type Conversation = components['schemas']['Conversation']
export type Message = components['schemas']['Message']
export type Note = components['schemas']['ConversationNote']
export type CannedReply = components['schemas']['CannedReply']
export type Colleague = components['schemas']['Colleague']

export const listsKey = ['inbox', 'list'] as const
export const unreadKey = ['inbox', 'unread'] as const
export const cannedRepliesKey = keyOf('/call-center/canned-replies')
export const messagesKey = (id: string) => ['inbox', 'messages', id] as const
export const conversationKey = (id: string) => ['inbox', 'conversation', id] as const
export const notesKey = (id: string) => ['inbox', 'notes', id] as const

const conversationsAtOnce = 30
const messagesAtOnce = 40

/** The API's largest page. */
const largestPage = 100

/** Events keep the cache up to date; refetch only after missed ones. */
const streamedMs = 300_000

export const conversationsQuery = (filter: ConversationFilter) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, filter],
    queryFn: async ({ pageParam, signal }) =>
      dataOf(
        api.GET('/call-center/conversations', {
          params: { query: { page: pageParam, limit: conversationsAtOnce, ...queryOf(filter) } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: streamedMs,
  })

function queryOf({ view, status, unread, search, number }: ConversationFilter) {
  return {
    status: status ?? ('open' as const),
    ...(view === 'mine' && { assigned_agent_id: 'me' }),
    ...(view === 'unassigned' && { assigned_agent_id: 'unassigned' }),
    ...(unread && { unread_only: true }),
    ...(search && { search }),
    ...(number && { phone_number_id: number }),
  }
}

/** The conversation in a cached list, and when that was fetched. */
function listed(id: string): { conversation: Conversation; at: number } | undefined {
  for (const { state } of queryClient.getQueryCache().findAll({ queryKey: listsKey })) {
    const { pages = [] } = (state.data ?? {}) as Partial<InfiniteData<ListAnswer<Conversation>>>
    const conversation = pages.flatMap(({ data }) => data).find((one) => one.id === id)
    if (conversation && !state.isInvalidated) return { conversation, at: state.dataUpdatedAt }
  }
  return undefined
}

/** Skipped if a list has the conversation. */
export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: conversationKey(id),
    initialData: () => listed(id)?.conversation,
    initialDataUpdatedAt: () => listed(id)?.at,
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/call-center/conversations/{id}', { params: { path: { id } }, signal })),
    staleTime: streamedMs,
  })

/** Ids of the open conversations with unread messages; a hundred of them at most. */
export const unreadQuery = queryOptions({
  queryKey: unreadKey,
  queryFn: async ({ signal }) => {
    const query = { unread_only: true, status: 'open' as const, limit: largestPage }
    const { data } = await dataOf(api.GET('/call-center/conversations', { params: { query }, signal }))
    return data.map(({ id }) => id)
  },
  staleTime: streamedMs,
})

/** Pages go back in time: the first has the latest messages. */
export const messagesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: messagesKey(id),
    queryFn: async ({ pageParam, signal }) =>
      dataOf(
        api.GET('/call-center/conversations/{id}/messages', {
          params: { path: { id }, query: { before: pageParam ?? timeToCome(), limit: messagesAtOnce } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ data, meta }) => (meta.total > data.length ? data[0]?.created_at : undefined),
    staleTime: streamedMs,
  })

/** A future time means the end of the conversation, even if this machine's clock is slow. */
function timeToCome(): string {
  return new Date(Date.now() + 86_400_000).toISOString()
}

/** Messages after the last one on screen. */
export async function messagesAfter(id: string, after: string): Promise<Message[]> {
  const params = { path: { id }, query: { after, limit: largestPage } }
  return (await dataOf(api.GET('/call-center/conversations/{id}/messages', { params }))).data
}

/** First page only: few conversations have more notes. */
export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: notesKey(id),
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { limit: largestPage } }
      return dataOf(api.GET('/call-center/conversations/{id}/notes', { params, signal }))
    },
    staleTime: streamedMs,
  })

/** Names of the first page of active agents. */
export const colleaguesQuery = queryOptions({
  queryKey: ['inbox', 'colleagues'],
  queryFn: async ({ signal }) =>
    dataOf(api.GET('/call-center/agents', { params: { query: { limit: largestPage } }, signal })),
  staleTime: streamedMs,
})

/** An agent beyond the first page, or an inactive one. Null: deleted. */
export const colleagueQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'colleague', id],
    queryFn: async ({ signal }): Promise<Colleague | null> => {
      const { data, error, response } = await api.GET('/call-center/agents/{id}', {
        ...{ params: { path: { id } }, signal },
      })
      if (response.status === 404) return null
      return dataOf(Promise.resolve({ ...(data && { data }), error, response }))
    },
    staleTime: streamedMs,
  })

export const teamsQuery = queryOptions({
  queryKey: ['inbox', 'teams'],
  queryFn: async ({ signal }) =>
    dataOf(api.GET('/call-center/teams', { params: { query: { limit: largestPage } }, signal })),
})

/** Numbers that the agent may use and that send messages. */
export const textingNumbersQuery = queryOptions({
  queryKey: ['inbox', 'numbers'],
  queryFn: async ({ signal }) => {
    const { data } = await dataOf(
      api.GET('/call-center/phone-numbers', { params: { query: { limit: largestPage } }, signal }),
    )
    return data.filter(({ capabilities }) => capabilities.includes('sms'))
  },
})

/** By their ids. */
export const textingNumberChoices: ChoiceSource = {
  key: ['inbox', 'number-choices'],
  list: async (search) => {
    const all = await queryClient.query(textingNumbersQuery)
    const choices = all.map(({ id, number }) => ({ value: id, label: e164(number) }))
    return choices.filter(({ label }) => label.includes(searchedNumber(search)))
  },
  one: async (id, signal) => {
    const path = { id }
    const { number } = await dataOf(api.GET('/call-center/phone-numbers/{id}', { params: { path }, signal }))
    return { value: id, label: e164(number) }
  },
}

export const cannedRepliesQuery = listQuery('/call-center/canned-replies', [])
