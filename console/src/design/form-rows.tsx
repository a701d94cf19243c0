/** A list within a form: rows can be added and removed. */
import { Fieldset, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { AddRow, RemoveRow } from './rows'
import { designTexts } from './texts'

const texts = designTexts.formRows

interface FormRowsProps {
  /** Accessible name of the list. */
  legend: string
  hint?: string
  count: number
  /** Fewest rows. */
  least?: number
  most: number
  /** Label of a row, by its number from 1. */
  nameOf: (number: number) => string
  addLabel: string
  onAdd: () => void
  onRemove: (index: number) => void
  children: (index: number) => ReactNode
}

export function FormRows(props: FormRowsProps) {
  const { legend, hint, count, least = 0, most, nameOf, addLabel, onAdd, onRemove, children } = props
  const t = useTexts(texts)
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
        {Array.from({ length: count }, (_, index) => (
          <Group key={index} gap="xs" align="flex-start" role="group" aria-label={nameOf(index + 1)}>
            {children(index)}
            {count > least && (
              <RemoveRow
                besideLabel
                label={t('remove', { what: nameOf(index + 1) })}
                onClick={() => onRemove(index)}
              />
            )}
          </Group>
        ))}
        {count < most && <AddRow label={addLabel} onClick={onAdd} />}
      </Stack>
    </Fieldset>
  )
}
