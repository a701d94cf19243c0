/** What the API finds for a text: a few rows of each list that the person may see, asked once typing has paused. */
import { dataOf } from '@jackfield/sdk'
import {
  IconAddressBook,
  IconBuilding,
  IconHash,
  IconHeadset,
  IconPhoneCall,
  IconRoute,
  IconUsersGroup,
} from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client'
import { searchedNumber } from '../../api/written-number'
import { useTexts } from '../../i18n/texts'
import type { Person } from '../people'
import { type Callable, useCallable } from './callable'
import type { Entry } from './entries'
import { paletteTexts } from './texts'

/** Shorter texts find too much. */
const shortest = 2
const limit = 5

interface Row {
  id: string
  label: string
  hint?: string
}

interface Source {
  name: 'people' | 'teams' | 'contacts' | 'numbers' | 'flows' | 'workspaces'
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
    ...{ name: 'teams', for: 'admin' },
    find: async (search, signal) =>
      (await dataOf(api.GET('/teams', { ...query(search), signal }))).data.map(({ id, name }) => ({
        ...{ id, label: name },
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
      (await dataOf(api.GET('/phone-numbers', { ...query(searchedNumber(search)), signal }))).data.map(
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

const icons = {
  people: IconHeadset,
  teams: IconUsersGroup,
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
  const t = useTexts(paletteTexts)
  const navigate = useNavigate()
  const search = text.trim()
  const isLong = search.length >= shortest
  const asked = isLong ? sources.filter((source) => people.has(source.for)) : []
  const answers = useQueries({
    queries: asked.map(({ name, for: person, find }) => ({
      queryKey: ['palette', person, name, search],
      queryFn: async ({ signal }: { signal: AbortSignal }) => find(search, signal),
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: 30_000,
    })),
  })
  const calls = useCallable(isLong && people.has('agent') ? search : null)
  const open = {
    people: ({ id }: Row) => void navigate({ to: '/agents/$id', params: { id }, search: {} }),
    teams: ({ id }: Row) => void navigate({ to: '/teams/$id', params: { id }, search: {} }),
    contacts: ({ label }: Row) => void navigate({ to: '/contacts', search: { search: label } }),
    numbers: ({ id }: Row) => void navigate({ to: '/numbers/$id', params: { id } }),
    flows: ({ id }: Row) => void navigate({ to: '/flows/$flowId', params: { flowId: id }, search: {} }),
    workspaces: ({ id }: Row) => void navigate({ to: '/workspaces/$id', params: { id } }),
  }
  const openings = asked.flatMap(({ name }, index) =>
    (answers[index]?.data ?? []).map((row) => ({
      ...{ id: row.id, key: `${name} ${row.id}`, group: name, icon: icons[name] },
      // Beside what calls it, the verb tells which is which.
      label: people.has('agent') ? t('open', { name: row.label }) : row.label,
      ...(row.hint && { hint: row.hint }),
      run: () => open[name](row),
    })),
  )
  const isOf = (id: string) => (call: Callable) => call.id === id
  const others = calls.found.filter((call) => !openings.some(({ id }) => id === call.id))
  const entries: Entry[] = [
    ...openings.flatMap(({ id, ...opening }) => [opening, ...calls.found.filter(isOf(id))]),
    ...others,
  ]
  return {
    entries: [...entries, ...callNamed(search)],
    isAsking: calls.isAsking || answers.some(({ isFetching }) => isFetching),
    hasFailed: calls.hasFailed || answers.some(({ isError }) => isError),
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
