import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { keyOf, listQuery } from '../../api/resources'

export type SipAccount = components['schemas']['SipAccount']

export const sipAccountsKey = keyOf('/sip-accounts')

export const sipAccountsQuery = listQuery('/sip-accounts', ['created_at', 'title'])

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
