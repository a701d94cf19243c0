/** Fields that choose things of the API: it searches, as there may be ten thousand of them. */
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChoiceSource } from '../api/choices'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'

function useChoices(source: ChoiceSource, search: string, chosen: readonly string[], enabled: boolean) {
  const [term] = useDebouncedValue(search, 250)
  const found = useQuery({
    queryKey: [...source.key, 'choices', term],
    queryFn: async ({ signal }) => source.list(term, signal),
    placeholderData: keepPreviousData,
    enabled,
  })
  const listed = found.data ?? []
  const missing = chosen.filter((id) => !listed.some(({ value }) => value === id))
  const others = useQueries({
    queries: missing.map((id) => ({
      queryKey: [...source.key, 'choice', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => source.one(id, signal),
    })),
  })
  const known = others.map(({ data }, index) => data ?? { value: missing[index] ?? '', label: '…' })
  return { isLoading: found.isFetching, choices: [...known, ...listed] }
}

type Kept = 'data' | 'searchable' | 'searchValue' | 'onSearchChange' | 'filter' | 'nothingFoundMessage'

type PickerProps = Omit<SelectProps, Kept | 'value' | 'multiple'> & {
  source: ChoiceSource
  value?: string | null
}

export function Picker({ source, value = null, ...props }: PickerProps) {
  const t = useTexts(common)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [label, setLabel] = useState('')
  // The field holds what is chosen; that is not searched for.
  const search = text === label ? '' : text
  const { choices, isLoading } = useChoices(source, search, value ? [value] : [], isOpen)
  const chosen = choices.find((choice) => choice.value === value)?.label ?? ''
  if (chosen !== label) setLabel(chosen)
  return (
    <Select
      {...props}
      value={value}
      data={choices}
      searchable
      openOnFocus={false}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpen(true)}
      nothingFoundMessage={isLoading ? t('loading') : t('empty')}
      clearButtonProps={{ 'aria-label': t('clear') }}
    />
  )
}

type MultiPickerProps = Omit<MultiSelectProps, Kept | 'value' | 'multiple'> & {
  source: ChoiceSource
  value?: string[]
}

export function MultiPicker({ source, value = [], ...props }: MultiPickerProps) {
  const t = useTexts(common)
  const [text, setText] = useState('')
  const { choices, isLoading } = useChoices(source, text, value, true)
  return (
    <MultiSelect
      {...props}
      value={value}
      data={choices}
      searchable
      openOnFocus={false}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={isLoading ? t('loading') : t('empty')}
      clearButtonProps={{ 'aria-label': t('clear') }}
    />
  )
}
