import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Choice, type ChoiceSource, choicesLimit } from '../../api/choices'
import { api } from '../../api/client'
import { searchedNumber } from '../../api/written-number'
import { listQueryOf } from '../../api/lists'
import { type MessagesSearch, messageFilterOf, optOutFilterOf } from './search'
import { keyOf, listQuery } from '../../api/resources'

/** As the answer to sending shows it: without its client's name. */
export type SentMessage = components['schemas']['Message']
export type Message = components['schemas']['ListedMessage']
export type MessageDetail = components['schemas']['MessageDetail']
export type OptOut = components['schemas']['OptOut']

export type MessageSettings = components['schemas']['MessageSettings']

export const messagesKey = ['messages'] as const
export const optOutsKey = keyOf('/opt-outs')
export const messageSettingsKey = ['message-settings'] as const

export const messageSettingsQuery = queryOptions({
  queryKey: messageSettingsKey,
  queryFn: async ({ signal }) => dataOf(api.GET('/message-settings', { signal })),
})

export const messagesQuery = (search: MessagesSearch) =>
  queryOptions({
    queryKey: [...messagesKey, 'list', search],
    queryFn: async ({ signal }) => {
      const query = {
        ...listQueryOf(search, ['created_at', 'updated_at', 'status']),
        ...messageFilterOf(search),
      }
      return dataOf(api.GET('/messages', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/messages/{id}', { params: { path: { id } }, signal })),
  })

export const optOutsQuery = listQuery('/opt-outs', ['created_at'], optOutFilterOf)

type Number = Pick<components['schemas']['PhoneNumber'], 'id' | 'number' | 'title'>

const labelOf = ({ number, title }: Number) => `+${number} · ${title}`

async function texting(search: string, signal: AbortSignal): Promise<Number[]> {
  const query = {
    ...({ capability: 'sms', limit: choicesLimit, sort_field: 'title', sort_order: 'asc' } as const),
    search: searchedNumber(search),
  }
  return (await dataOf(api.GET('/phone-numbers', { params: { query }, signal }))).data
}

/** Numbers that send messages, by their ids. */
export const numberChoices: ChoiceSource = {
  key: ['phone-numbers', 'texting'],
  list: async (search, signal) =>
    (await texting(search, signal)).map((number): Choice => ({ value: number.id, label: labelOf(number) })),
  one: async (id, signal) => {
    const number = await dataOf(api.GET('/phone-numbers/{id}', { params: { path: { id } }, signal }))
    return { value: id, label: labelOf(number) }
  },
}

/** The same by number, as messages are sent from it. */
export const senderChoices: ChoiceSource = {
  key: ['phone-numbers', 'senders'],
  list: async (search, signal) =>
    (await texting(search, signal)).map((number) => ({ value: `+${number.number}`, label: labelOf(number) })),
  one: async (number) => Promise.resolve({ value: number, label: number }),
}
