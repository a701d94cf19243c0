/** Actors of the audit log. */
import { type components, dataOf } from '@jackfield/sdk'
import type { ChoiceSource } from '../../api/choices'
import { api } from '../../api/client'
import { textOf } from '../../i18n/texts'
import type { AuditEntry } from './queries'
import { auditLogTexts } from './texts'

type Actor = AuditEntry['actor']

export const actorKinds = ['agent', 'api_key', 'client', 'operator', 'system'] as const

export const actorKindOf = (word: string | undefined) => actorKinds.find((kind) => kind === word)

/** Display name of an actor; the id if the actor was deleted. */
export function actorName({ kind, id, name }: Actor): string {
  if (id === null) return textOf(auditLogTexts, `actor_${kind}`)
  return name ?? id
}

type Key = components['schemas']['ApiKey']

const agentChoice = ({ id, display_name }: components['schemas']['Agent']) => ({
  value: id,
  label: display_name,
})
const keyChoice = ({ sid, title }: Key) => ({
  value: sid,
  label: textOf(auditLogTexts, 'keyNamed', { name: title || sid }),
})

const keysThatMatch = async (search: string, signal: AbortSignal) =>
  (await dataOf(api.GET('/api-keys', { params: { query: { limit: 25, search } }, signal }))).data

/** Filter options: all kinds, and each agent and key. */
export const actorChoices: ChoiceSource = {
  key: ['audit-log', 'actors'],
  list: async (search, signal) => {
    const query = { limit: 25, search, sort_field: 'display_name', sort_order: 'asc' } as const
    const [agents, keys] = await Promise.all([
      dataOf(api.GET('/agents', { params: { query }, signal })),
      keysThatMatch(search, signal),
    ])
    const whole = actorKinds
      .map((value) => ({ value, label: textOf(auditLogTexts, `kind_${value}`) }))
      .filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
    return [...whole, ...agents.data.map(agentChoice), ...keys.map(keyChoice)]
  },
  one: async (id, signal) => {
    const kind = actorKindOf(id)
    if (kind) return { value: id, label: textOf(auditLogTexts, `kind_${kind}`) }
    const gone = { value: id, label: id }
    if (id.startsWith('sid-')) {
      const key = (await keysThatMatch(id, signal)).find(({ sid }) => sid === id)
      return key ? keyChoice(key) : gone
    }
    const { data } = await api.GET('/agents/{id}', { params: { path: { id } }, signal })
    return data ? agentChoice(data) : gone
  },
}
