/** Retention periods of a workspace in days: the same fields for owners and for the operator. */
import { NumberInput, SimpleGrid } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { figureOf } from './form-values'
import { designTexts } from './texts'

const texts = designTexts.retention

export const retentionFields = [
  ...(['call_retention_days', 'message_retention_days', 'recording_retention_days'] as const),
  ...(['ledger_retention_days', 'webhook_delivery_retention_days', 'audit_log_retention_days'] as const),
] as const
type Field = (typeof retentionFields)[number]

/** '' if the field is empty. */
export type RetentionValues = Record<Field, number | string>

/** The effective values and the operator's bounds. */
interface Kept {
  days: number | null
  min_days: number
  max_days: number | null
}

export function retentionValuesOf(row: Record<Field, number | null>): RetentionValues {
  return Object.fromEntries(retentionFields.map((field) => [field, row[field] ?? ''])) as RetentionValues
}

export function retentionBodyOf(values: RetentionValues): Record<Field, number> {
  return Object.fromEntries(retentionFields.map((field) => [field, figureOf(values[field])])) as Record<
    Field,
    number
  >
}

interface RetentionFieldsProps {
  inputPropsOf: (field: Field) => object
  /** By field; left out where it is not known. */
  kept?: Partial<Record<Field, Kept>>
}

export function RetentionFields({ inputPropsOf, kept = {} }: RetentionFieldsProps) {
  const t = useTexts(texts)
  const hintOf = (field: Field) => {
    const one = kept[field]
    if (!one) return undefined
    const now = one.days === null ? t('forEver') : t('now', { days: String(one.days) })
    const [min, max] = [String(one.min_days), String(one.max_days)]
    return `${now} ${one.max_days === null ? t('rangeOpen', { min }) : t('range', { min, max })}`
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {retentionFields.map((field) => (
        <NumberInput
          key={field}
          label={t(field)}
          description={hintOf(field)}
          allowDecimal={false}
          allowNegative={false}
          {...inputPropsOf(field)}
        />
      ))}
    </SimpleGrid>
  )
}
