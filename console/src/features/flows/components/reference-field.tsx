/** Chooses an object of the workspace by its name. */
import { dataOf } from '@jackfield/sdk'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { messageOf } from '../../../api/errors'
import { searchedNumber } from '../../../api/written-number'
import { useSpacedNumbers } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { ReferenceKind } from '../model/fields'

interface Choice {
  value: string
  label: string
}

/** Most options of a list; further ones are found by search. */
const limit = 50

const offers: Readonly<Record<ReferenceKind, (search: string, signal: AbortSignal) => Promise<Choice[]>>> = {
  agent: async (search, signal) =>
    (await dataOf(api.GET('/agents', { params: { query: { search, limit } }, signal }))).data.map(
      ({ id, display_name, username }) => ({ value: id, label: `${display_name} (${username})` }),
    ),
  audio: async (search, signal) =>
    (await dataOf(api.GET('/audios', { params: { query: { search, limit } }, signal }))).data.map(
      ({ id, title }) => ({ value: id, label: title }),
    ),
  extension: async (search, signal) =>
    (await dataOf(api.GET('/extensions', { params: { query: { search, limit } }, signal }))).data.map(
      ({ id, extension_number, title }) => ({ value: id, label: `${extension_number} ${title}` }),
    ),
  outbound_gateway: async (search, signal) =>
    (
      await dataOf(api.GET('/sip-trunks/gateways', { params: { query: { search, limit } }, signal }))
    ).data.map(({ id, title }) => ({ value: id, label: title })),
  phone_number: async (search, signal) =>
    (
      await dataOf(
        api.GET('/phone-numbers', { params: { query: { search: searchedNumber(search), limit } }, signal }),
      )
    ).data.map(({ number, title }) => ({
      value: `+${number.replace(/^\+/, '')}`,
      label: `+${number.replace(/^\+/, '')} ${title ?? ''}`.trim(),
    })),
  team: async (search, signal) =>
    (await dataOf(api.GET('/teams', { params: { query: { search, limit } }, signal }))).data.map(
      ({ id, name }) => ({ value: id, label: name }),
    ),
  voice_agent: async (search, signal) =>
    (await dataOf(api.GET('/voice-agents', { params: { query: { search, limit } }, signal }))).data.map(
      ({ id, name }) => ({ value: id, label: name }),
    ),
}

interface ReferenceFieldProps {
  of: ReferenceKind
  label: string
  description?: string | undefined
  required?: boolean
  value: string
  /** Label of the value, if it is already known. */
  known?: string | undefined
  error?: string | undefined
  /** Path of the value in the step's parameters. */
  'data-path': string
  /** @param name of the object that was chosen */
  onChange: (value: string | undefined, name?: string) => void
}

export function ReferenceField({
  of,
  label,
  description,
  required = false,
  value,
  known,
  error,
  'data-path': path,
  onChange,
}: ReferenceFieldProps) {
  const words = useTexts(common)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 250)
  const query = useQuery({
    queryKey: ['flow-choices', of, search],
    queryFn: async ({ signal }) => offers[of](search, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const found = query.data ?? []
  const isListed = value === '' || found.some((choice) => choice.value === value)
  // Show the selected object even if it is not among the options.
  const offered = isListed ? found : [{ value, label: known ?? value }, ...found]
  const labels = useSpacedNumbers(offered.map((choice) => choice.label))
  const data = offered.map((choice, index) => ({ ...choice, label: labels[index] ?? choice.label }))
  const failed = query.error ? messageOf(query.error) : undefined
  return (
    <Select
      label={label}
      description={description}
      withAsterisk={required}
      searchable
      clearable={!required}
      clearButtonProps={{ 'aria-label': words('clear') }}
      data={data}
      value={value === '' ? null : value}
      onChange={(next, option) => onChange(next ?? undefined, option?.label)}
      onSearchChange={(text) => setTyped(data.some((choice) => choice.label === text) ? '' : text)}
      nothingFoundMessage={query.isFetching ? words('loading') : words('none')}
      error={error ?? failed}
      data-path={path}
    />
  )
}
