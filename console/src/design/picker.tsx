/** Fields that choose objects of the API, by search: there may be ten thousand. */
import {
  type ComboboxParsedItem,
  MultiSelect,
  type MultiSelectProps,
  Select,
  type SelectProps,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChoiceSource, choicesQuery } from '../api/choices'
import { isStatus, messageOf } from '../api/errors'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { useSpacedNumbers } from './phone-number'
import { designTexts } from './texts'

const texts = designTexts.picker

/** Placeholder for a name that is still loading. */
const unnamed = '…'

function useChoices(source: ChoiceSource, search: string, chosen: readonly string[], enabled: boolean) {
  const [t, c] = [useTexts(texts), useTexts(common)]
  const [term] = useDebouncedValue(search, 250)
  const found = useQuery({ ...choicesQuery(source, term), placeholderData: keepPreviousData, enabled })
  const listed = found.data ?? []
  const missing = chosen.filter((id) => !listed.some(({ value }) => value === id))
  const others = useQueries({
    queries: missing.map((id) => ({
      queryKey: [...source.key, 'choice', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => source.one(id, signal),
    })),
  })
  const known = others.map(({ data, error }, index) => {
    const id = missing[index] ?? ''
    return data ?? { value: id, label: error ? (isStatus(error, 404) ? t('gone', { id }) : id) : unnamed }
  })
  const choices = [...known, ...listed]
  const labels = useSpacedNumbers(choices.map(({ label }) => label))
  const nothing = () => {
    if (found.error) return messageOf(found.error)
    if (found.isFetching || term !== search) return c('loading')
    return search ? c('noMatch', { search }) : c('empty')
  }
  // The selected option is not a search result.
  const isAnswer = (option: ComboboxParsedItem) =>
    (search === '' && !found.error) || listed.some(({ value }) => 'value' in option && option.value === value)
  return {
    choices: choices.map((choice, index) => ({ ...choice, label: labels[index] ?? choice.label })),
    filter: ({ options }: { options: ComboboxParsedItem[] }) => options.filter(isAnswer),
    nothingFoundMessage: nothing(),
  }
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
  // The field shows the selected name; do not search for it.
  const search = text === label ? '' : text
  const { choices, ...shown } = useChoices(source, search, value ? [value] : [], isOpen)
  const chosen = choices.find((choice) => choice.value === value)?.label ?? ''
  if (chosen !== label) {
    setLabel(chosen)
    if (text === label) setText(chosen)
  }
  return (
    <Select
      {...props}
      value={value}
      data={choices}
      searchable
      openOnFocus={false}
      searchValue={text}
      onSearchChange={setText}
      {...shown}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // The name that is still loading would overwrite what is typed meanwhile.
      readOnly={(props.readOnly ?? false) || chosen === unnamed}
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
  const { choices, ...shown } = useChoices(source, text, value, true)
  return (
    <MultiSelect
      {...props}
      value={value}
      data={choices}
      searchable
      openOnFocus={false}
      searchValue={text}
      onSearchChange={setText}
      {...shown}
      clearButtonProps={{ 'aria-label': t('clear') }}
    />
  )
}
