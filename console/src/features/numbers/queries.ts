import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { searchedNumber } from '../../api/written-number'
import { type ListSearch, wordOf, listSearchOf } from '../../api/lists'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { keyOf, listQuery } from '../../api/resources'

export type Number = components['schemas']['PhoneNumber']
export type NumberDetail = components['schemas']['PhoneNumberDetail']

export const numbersKey = keyOf('/phone-numbers')

export const capabilities = ['voice', 'sms'] as const

type Capability = (typeof capabilities)[number]

export const capabilityOf = (word: unknown) => wordOf(word, capabilities)

export const numberStates = ['active', 'pending', 'inactive'] as const

export const numberStateOf = (word: unknown) => wordOf(word, numberStates)

export interface NumbersSearch extends ListSearch {
  capability?: Capability
  status?: Number['status']
  /** Id of a call flow, or `none`. */
  flow?: string
  /** Id of a team, or `none`. */
  team?: string
}

/** Parses the list's URL. */
export function numbersSearchOf(search: Record<string, unknown>): NumbersSearch {
  const capability = capabilityOf(search['capability'])
  const status = numberStateOf(search['status'])
  const { flow, team } = search
  return {
    ...listSearchOf(search),
    ...(capability && { capability }),
    ...(status && { status }),
    ...(typeof flow === 'string' && { flow }),
    ...(typeof team === 'string' && { team }),
  }
}

/** The list's filters, as the API has them. */
export const numbersFilterOf = ({ capability, status, flow, team }: NumbersSearch) => ({
  ...(capability && { capability }),
  ...(status && { status }),
  ...(flow && { call_flow_id: flow }),
  ...(team && { team_id: team }),
})

export const numbersQuery = listQuery('/phone-numbers', ['created_at', 'title', 'number'], numbersFilterOf)

export const numberQuery = (id: string) =>
  queryOptions({
    queryKey: [...numbersKey, 'one', id],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/phone-numbers/{id}', { params: { path: { id } }, signal })),
  })

/** Numbers by their digits with a plus sign, as caller ids are written. */
export const callerIdChoices: ChoiceSource = {
  key: [...numbersKey, 'caller-ids'],
  list: async (search, signal) => {
    const query = {
      limit: choicesLimit,
      search: searchedNumber(search),
      sort_field: 'title',
      sort_order: 'asc',
    } as const
    const { data } = await dataOf(api.GET('/phone-numbers', { params: { query }, signal }))
    return data.map(({ number, title }) => ({ value: number, label: `+${number} · ${title}` }))
  },
  one: async (number) => Promise.resolve({ value: number, label: `+${number}` }),
}

/** Flows for inbound calls: a number takes no others. */
export const flowChoices: ChoiceSource = {
  key: ['flow-choices', 'inbound'],
  list: async (search, signal) => {
    const query = {
      ...({ limit: choicesLimit, search, sort_field: 'title', sort_order: 'asc' } as const),
      trigger_type: 'inbound' as const,
    }
    const { data } = await dataOf(api.GET('/call-flows', { params: { query }, signal }))
    return data.map(({ id, title }) => ({ value: id, label: title }))
  },
  one: async (id, signal) => {
    const { title } = await dataOf(api.GET('/call-flows/{id}', { params: { path: { id } }, signal }))
    return { value: id, label: title }
  },
}
