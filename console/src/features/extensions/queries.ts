import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../api/client'
import { type ChoiceSource, choicesLimit } from '../../api/choices'
import { keyOf, listQuery } from '../../api/resources'

export type Extension = components['schemas']['Extension']

export const extensionsKey = keyOf('/extensions')

export const extensionsQuery = listQuery('/extensions', ['created_at', 'extension_number', 'title'])

export const voiceAgentChoices: ChoiceSource = {
  key: ['voice-agent-choices'],
  list: async (search, signal) => {
    const query = { limit: choicesLimit, search, sort_field: 'name', sort_order: 'asc' } as const
    const { data } = await dataOf(api.GET('/voice-agents', { params: { query }, signal }))
    return data.map(({ id, name }) => ({ value: id, label: name }))
  },
  one: async (id, signal) => {
    const { name } = await dataOf(api.GET('/voice-agents/{id}', { params: { path: { id } }, signal }))
    return { value: id, label: name }
  },
}
