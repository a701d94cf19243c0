import { Select } from '@mantine/core'
import { DayRangeFields } from '../../../design/day-range'
import { Picker } from '../../../design/picker'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { numberChoices } from '../queries'
import { type MessagesSearch, directions, messageStatuses } from '../search'
import { messagesTexts } from '../texts'

/** `undefined` removes a field from the URL. */
export type MessagesChange = { [Field in keyof MessagesSearch]: MessagesSearch[Field] | undefined }

interface MessageFiltersProps {
  search: MessagesSearch
  onChange: (change: MessagesChange) => void
}

export function MessageFilters({ search, onChange }: MessageFiltersProps) {
  const t = useTexts(messagesTexts)
  const ways = useTexts(directionWords)
  const any = { placeholder: t('all'), clearable: true, clearButtonProps: { 'aria-label': t('all') } }
  return (
    <>
      <Select
        {...any}
        label={t('status')}
        data={messageStatuses.map((value) => ({ value, label: t(value) }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        w={140}
      />
      <Select
        {...any}
        label={t('direction')}
        data={directions.map((value) => ({ value, label: ways(value) }))}
        value={search.direction ?? null}
        onChange={(direction) => onChange({ direction: direction ?? undefined })}
        w={120}
      />
      <Picker
        label={t('number')}
        placeholder={t('all')}
        clearable
        source={numberChoices}
        value={search.number ?? null}
        onChange={(number) => onChange({ number: number ?? undefined })}
        w={140}
      />
      <DayRangeFields value={search} onChange={onChange} />
    </>
  )
}
