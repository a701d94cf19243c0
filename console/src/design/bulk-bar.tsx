/** Above a list: how many rows are chosen, and what can be done with them. */
import { Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../i18n/texts'
import type { BulkAction } from './bulk-actions'
import { BulkDialog } from './bulk-dialog'
import type { Choosing } from './choosing'
import { FormModal } from './form-modal'
import { designTexts } from './texts'

interface BulkBarProps<Row> {
  actions: readonly BulkAction<Row>[]
  choosing: Choosing<Row>
}

export function BulkBar<Row>({ actions, choosing }: BulkBarProps<Row>) {
  const t = useTexts(designTexts.bulk)
  /** What is asked about: the rows that are chosen then. */
  const [asked, setAsked] = useState<{ action: BulkAction<Row>; rows: readonly Row[] }>()
  const [isOpen, setOpen] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const rows = [...choosing.chosen.rows.values()]
  const count = rows.length
  return (
    <>
      {count > 0 && (
        <Paper
          withBorder
          shadow="xs"
          p="xs"
          className="jf-bulk-bar"
          role="region"
          aria-label={t('chosen', { count })}
        >
          <Group gap="xs">
            <Text size="sm" fw={600} role="status">
              {t('chosen', { count })}
            </Text>
            {actions.map((one) => (
              <Button
                key={one.key}
                size="xs"
                variant="default"
                leftSection={<one.icon size={16} aria-hidden />}
                {...(one.isDangerous && { c: 'var(--mantine-color-error)' })}
                onClick={() => {
                  setAsked({ action: one, rows })
                  setOpen(true)
                }}
              >
                {one.label}
              </Button>
            ))}
            <Button size="xs" variant="subtle" ml="auto" onClick={() => choosing.keep([])}>
              {t('chooseNone')}
            </Button>
          </Group>
        </Paper>
      )}
      <FormModal
        title={asked?.action.question(asked.rows.length) ?? ''}
        opened={isOpen && asked !== undefined}
        onClose={() => !isRunning && setOpen(false)}
      >
        {asked && (
          <BulkDialog
            {...asked}
            nameOf={choosing.nameOf}
            onRunning={setRunning}
            onDone={(left) => choosing.keep(left)}
            close={() => setOpen(false)}
          />
        )}
      </FormModal>
    </>
  )
}
