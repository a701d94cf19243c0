/** A list within a form: rows can be added and removed. */
import { Card, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { stepTexts } from '../texts'

interface RowsProps<Row> {
  rows: readonly Row[]
  /** Label of a row, by its number from 1. */
  nameOf: (number: number) => string
  addLabel: string
  empty: Row
  max: number
  onChange: (rows: Row[], index: number) => void
  children: (row: Row, index: number, change: (changed: Partial<Row>) => void) => ReactNode
}

export function Rows<Row>({ rows, nameOf, addLabel, empty, max, onChange, children }: RowsProps<Row>) {
  const t = useTexts(stepTexts)
  return (
    <Stack gap="xs">
      {rows.map((row, index) => (
        // Rows have no ids: the index is the key.
        <Card key={index} withBorder padding="xs" role="group" aria-label={nameOf(index + 1)}>
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
              {children(row, index, (changed) =>
                onChange(
                  rows.map((one, at) => (at === index ? { ...one, ...changed } : one)),
                  index,
                ),
              )}
            </Stack>
            <RemoveRow
              label={t('removeNamed', { what: nameOf(index + 1) })}
              onClick={() =>
                onChange(
                  rows.filter((_, at) => at !== index),
                  -1,
                )
              }
            />
          </Group>
        </Card>
      ))}
      <AddRow label={addLabel} disabled={rows.length >= max} onClick={() => onChange([...rows, empty], -1)} />
    </Stack>
  )
}

/** Rows of a parameter, whose value may be of any type; what is no object is left out. */
export function rowsIn<Row extends object>(value: unknown): Row[] {
  return Array.isArray(value)
    ? value.filter((row): row is Row => typeof row === 'object' && row !== null)
    : []
}
