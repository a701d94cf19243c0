import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { keyOf, listQuery } from '../../api/resources'

export type PushCredential = components['schemas']['PushCredential']

export const pushCredentialsKey = keyOf('/push-credentials')

export const pushCredentialsQuery = listQuery('/push-credentials', ['created_at', 'name'])

export const pushCredentialQuery = (id: string) =>
  queryOptions({
    queryKey: [...pushCredentialsKey, 'one', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/push-credentials/{id}', { params: { path: { id } }, signal })),
  })

const asKeyChoice = ({ sid, title }: Pick<components['schemas']['ApiKey'], 'sid' | 'title'>) => ({
  value: sid,
  label: title ? `${title} · ${sid}` : sid,
})

/** Keys that sign app tokens, by sid. */
export const apiKeyChoices: ChoiceSource = {
  key: ['api-keys'],
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search }
    const { data } = await dataOf(api.GET('/api-keys', { params: { query }, signal }))
    return data.map(asKeyChoice)
  },
  one: async (sid, signal) => {
    const { data } = await dataOf(api.GET('/api-keys', { params: { query: { search: sid } }, signal }))
    return asKeyChoice(data.find((key) => key.sid === sid) ?? { sid, title: '' })
  },
}
