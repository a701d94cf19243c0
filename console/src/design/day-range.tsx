/** A date range filter: whole days in the viewer's time zone. */
import { TextInput } from '@mantine/core'
import type { DayRange } from '../api/days'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.dayRange

interface DayRangeFieldsProps {
  value: DayRange
  onChange: (change: { from?: string | undefined; to?: string | undefined }) => void
  /** Validation errors. */
  problems?: { from?: string; to?: string }
}

export function DayRangeFields({ value, onChange, problems = {} }: DayRangeFieldsProps) {
  const t = useTexts(texts)
  // Browsers report a half-typed date as empty: keep the old value until the date is complete or the field is cleared.
  return (
    <>
      <TextInput
        type="date"
        w={140}
        label={t('from')}
        value={value.from ?? ''}
        max={value.to}
        error={problems.from}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        w={140}
        label={t('to')}
        value={value.to ?? ''}
        min={value.from}
        error={problems.to}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
    </>
  )
}
