/** Asks before something is done with several rows, shows how far it is, and says which rows failed, and why. */
import { Alert, Button, Group, List, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../api/errors'
import { type Failure, forEachRow } from '../api/in-parallel'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import type { BulkAction } from './bulk-actions'
import { designTexts } from './texts'

/** Rows that are named before it is asked. */
const named = 5

interface BulkDialogProps<Row> {
  action: BulkAction<Row>
  rows: readonly Row[]
  nameOf: (row: Row) => string
  onRunning: (isRunning: boolean) => void
  /** @param left rows that failed or were not tried */
  onDone: (left: readonly Row[]) => void
  close: () => void
}

interface Ended<Row> {
  failures: readonly Failure<Row>[]
  untried: number
  all: number
}

export function BulkDialog<Row>({ action, rows, nameOf, onRunning, onDone, close }: BulkDialogProps<Row>) {
  const [t, words] = [useTexts(designTexts.bulk), useTexts(common)]
  const client = useQueryClient()
  const [value, setValue] = useState<string | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const [ended, setEnded] = useState<Ended<Row>>()
  const stopping = useRef<AbortController>(undefined)
  // A page that is left stops before the next row.
  useEffect(() => () => stopping.current?.abort(), [])
  const { Field } = action
  const isReady = Field === undefined || value !== null

  async function run(): Promise<void> {
    const stop = new AbortController()
    stopping.current = stop
    onRunning(true)
    setDone(0)
    const { failures, untried } = await forEachRow(rows, async (row) => action.run(row, value ?? ''), {
      progress: setDone,
      signal: stop.signal,
    })
    onRunning(false)
    for (const queryKey of action.changes) void client.invalidateQueries({ queryKey })
    onDone([...failures.map(({ row }) => row), ...untried])
    const worked = rows.length - failures.length - untried.length
    if (worked > 0) notifications.show({ message: t('done', { count: worked }), color: 'green' })
    if (failures.length + untried.length === 0) close()
    else setEnded({ failures, untried: untried.length, all: rows.length })
  }

  if (ended) return <Result ended={ended} nameOf={nameOf} close={close} />
  if (done !== null)
    return (
      <Stack>
        <Progress value={(100 * done) / rows.length} aria-label={action.label} />
        <Text size="sm" role="status">
          {t('progress', { done, count: rows.length })}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => stopping.current?.abort()}>
            {t('stop')}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack>
      <Text size="sm">
        {rows.slice(0, named).map(nameOf).join(', ')}
        {rows.length > named && ` ${t('more', { count: rows.length - named })}`}
      </Text>
      {action.consequence && <Text>{action.consequence}</Text>}
      {Field && <Field value={value} onChange={setValue} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {words('cancel')}
        </Button>
        <Button
          {...(action.isDangerous && { color: 'red' })}
          disabled={!isReady}
          {...(!Field && { 'data-autofocus': true })}
          onClick={() => void run()}
        >
          {action.label}
        </Button>
      </Group>
    </Stack>
  )
}

function Result<Row>({
  ended: { failures, untried, all },
  nameOf,
  close,
}: {
  ended: Ended<Row>
  nameOf: (row: Row) => string
  close: () => void
}) {
  const [t, words] = [useTexts(designTexts.bulk), useTexts(common)]
  return (
    <Stack>
      {untried > 0 && <Text>{t('untried', { count: untried })}</Text>}
      {failures.length > 0 && (
        <Alert color="red" role="alert" title={t('failed', { count: failures.length, all })}>
          <ScrollArea.Autosize
            mah={240}
            viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('failures') }}
          >
            <List size="sm">
              {failures.map(({ row, error }, index) => (
                <List.Item key={index}>
                  {nameOf(row)}: {messageOf(error)}
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={close}>
          {words('close')}
        </Button>
      </Group>
    </Stack>
  )
}
