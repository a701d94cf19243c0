import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf } from '../../api/lists'
import { type ChoiceSource, choicesLimit } from '../../api/choices'

export type SipAccount = components['schemas']['SipAccount']

export const sipAccountsKey = ['sip-accounts'] as const

export const sipAccountsQuery = (search: ListSearch) =>
  queryOptions({
    queryKey: [...sipAccountsKey, 'list', search],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/sip-accounts', { params: { query: listQueryOf(search, ['created_at', 'title']) }, signal }),
      ),
    placeholderData: keepPreviousData,
  })

const asChoice = ({ id, title, username }: SipAccount) => ({ value: id, label: `${title} (${username})` })

export const sipAccountChoices: ChoiceSource = {
  key: sipAccountsKey,
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search, sort_field: 'title', sort_order: 'asc' } as const
    return (await dataOf(api.GET('/sip-accounts', { params: { query }, signal }))).data.map(asChoice)
  },
  one: async (id, signal) =>
    asChoice(await dataOf(api.GET('/sip-accounts/{id}', { params: { path: { id } }, signal }))),
}
