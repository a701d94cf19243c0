import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { type ListSearch, listSearchOf } from '../../api/lists'
import { keyOf, listQuery } from '../../api/resources'

export type SipAccount = components['schemas']['SipAccount']

export const sipAccountsKey = keyOf('/sip-accounts')

export interface SipAccountsSearch extends ListSearch {
  /** Digits of a number, or `none`. */
  caller?: string
}

/** Parses the list's URL, where digits alone come as a number. */
export function sipAccountsSearchOf(search: Record<string, unknown>): SipAccountsSearch {
  const caller = search['caller']
  const isGiven = typeof caller === 'string' || typeof caller === 'number'
  return { ...listSearchOf(search), ...(isGiven && { caller: String(caller) }) }
}

/** The list's filters, as the API has them. */
export const sipAccountsFilterOf = ({ caller }: SipAccountsSearch) => ({
  ...(caller && { outbound_caller_id: caller }),
})

export const sipAccountsQuery = listQuery('/sip-accounts', ['created_at', 'title'], sipAccountsFilterOf)

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
