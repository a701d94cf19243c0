/** Two days between which a list's rows are: whole days, in the viewer's zone. */
import { TextInput } from '@mantine/core'
import type { DayRange } from '../api/days'
import { defineTexts, useTexts } from '../i18n/texts'

const texts = defineTexts('day-range', {
  en: { from: 'From day', to: 'To day' },
  de: { from: 'Von Tag', to: 'Bis Tag' },
})

interface DayRangeFieldsProps {
  value: DayRange
  onChange: (change: { from?: string | undefined; to?: string | undefined }) => void
  /** What is wrong with them. */
  problems?: { from?: string; to?: string }
}

export function DayRangeFields({ value, onChange, problems = {} }: DayRangeFieldsProps) {
  const t = useTexts(texts)
  // Browsers tell a half-typed day as none: it is kept until there is one, or the field is empty.
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
