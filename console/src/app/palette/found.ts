/** What the API finds for a text: a few rows of each list that the person may see, asked once typing has paused. */
import { dataOf } from '@jackfield/sdk'
import {
  IconAddressBook,
  IconBuilding,
  IconHash,
  IconHeadset,
  IconPhoneCall,
  IconRoute,
} from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client'
import type { Person } from '../people'
import type { Entry } from './entries'

/** Shorter texts find too much. */
const shortest = 2
const limit = 5

interface Row {
  id: string
  label: string
  hint?: string
  /** Digits or a name that a phone can call. */
  dial?: string
}

interface Source {
  name: 'people' | 'contacts' | 'numbers' | 'flows' | 'workspaces'
  for: Person
  find: (search: string, signal: AbortSignal) => Promise<Row[]>
}

const query = (search: string) => ({ params: { query: { search, limit } } })

/** Admins and the operator open pages of what they find. */
const sources: readonly Source[] = [
  {
    ...{ name: 'people', for: 'admin' },
    find: async (search, signal) =>
      (await dataOf(api.GET('/agents', { ...query(search), signal }))).data.map((agent) => ({
        ...{ id: agent.id, label: agent.display_name, hint: agent.username },
      })),
  },
  {
    ...{ name: 'contacts', for: 'admin' },
    find: async (search, signal) =>
      (await dataOf(api.GET('/contacts', { ...query(search), signal }))).data.map(
        ({ id, name, numbers }) => ({
          ...{ id, label: name, hint: numbers[0] ?? '' },
        }),
      ),
  },
  {
    ...{ name: 'numbers', for: 'admin' },
    find: async (search, signal) =>
      (await dataOf(api.GET('/phone-numbers', { ...query(search.replace('+', '')), signal }))).data.map(
        ({ id, number, title }) => ({ id, label: `+${number.replace('+', '')}`, hint: title ?? '' }),
      ),
  },
  {
    ...{ name: 'flows', for: 'admin' },
    find: async (search, signal) =>
      (await dataOf(api.GET('/call-flows', { ...query(search), signal }))).data.map(({ id, title }) => ({
        id,
        label: title,
      })),
  },
  {
    ...{ name: 'workspaces', for: 'operator' },
    find: async (search, signal) =>
      (await dataOf(api.GET('/workspaces', { ...query(search), signal }))).data.map(({ id, title }) => ({
        ...{ id, label: title, hint: id },
      })),
  },
]

/** Agents call the colleagues that they find. */
const colleagues: Source = {
  ...{ name: 'people', for: 'agent' },
  find: async (search, signal) =>
    (await dataOf(api.GET('/call-center/agents', { ...query(search), signal }))).data.map((agent) => ({
      ...{ id: agent.id, label: agent.display_name, hint: agent.username, dial: agent.username },
    })),
}

const icons = {
  people: IconHeadset,
  contacts: IconAddressBook,
  numbers: IconHash,
  flows: IconRoute,
  workspaces: IconBuilding,
} as const

export interface Found {
  entries: Entry[]
  isAsking: boolean
  hasFailed: boolean
}

/** @param text what was typed, once that has paused */
export function useFound(text: string, people: ReadonlySet<Person>): Found {
  const navigate = useNavigate()
  const search = text.trim()
  const own = people.has('admin') ? sources : [...sources, colleagues]
  const asked = search.length < shortest ? [] : own.filter((source) => people.has(source.for))
  const answers = useQueries({
    queries: asked.map(({ name, for: person, find }) => ({
      queryKey: ['palette', person, name, search],
      queryFn: async ({ signal }: { signal: AbortSignal }) => find(search, signal),
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: 30_000,
    })),
  })
  const open = {
    people: ({ id, dial }: Row) =>
      dial === undefined
        ? void navigate({ to: '/agents/$id', params: { id }, search: {} })
        : void navigate({ to: '/phone', search: { to: dial } }),
    contacts: ({ label }: Row) => void navigate({ to: '/contacts', search: { search: label } }),
    numbers: ({ id }: Row) => void navigate({ to: '/numbers/$id', params: { id } }),
    flows: ({ id }: Row) => void navigate({ to: '/flows/$flowId', params: { flowId: id }, search: {} }),
    workspaces: ({ id }: Row) => void navigate({ to: '/workspaces/$id', params: { id } }),
  }
  const entries = asked.flatMap(({ name }, index) =>
    (answers[index]?.data ?? []).map((row): Entry => ({
      ...{ key: `${name} ${row.id}`, group: name, label: row.label, icon: icons[name] },
      ...(row.hint && { hint: row.hint }),
      run: () => open[name](row),
    })),
  )
  return {
    entries: [...entries, ...callNamed(search)],
    isAsking: answers.some(({ isFetching }) => isFetching),
    hasFailed: answers.some(({ isError }) => isError),
  }

  /** A call by its id. */
  function callNamed(id: string): Entry[] {
    if (!/^call_[0-9a-z]+$/.test(id)) return []
    const run = people.has('admin')
      ? () => void navigate({ to: '/calls/$id', params: { id } })
      : () => void navigate({ to: '/history/$callId', params: { callId: id } })
    return [{ key: id, group: 'calls', label: id, icon: IconPhoneCall, run }]
  }
}
