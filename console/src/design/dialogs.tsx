/** Shared dialogs. */
import { Alert, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconKey } from '@tabler/icons-react'
import { type DeletedRow, deleteRow } from '../api/deleting'
import { complain } from '../api/use-action'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { Copyable, NumbersIn } from './values'

interface ConfirmDeleteOptions {
  /** Human-readable name of what is deleted. */
  name: string
  /** Consequence of the deletion. */
  consequence?: string
  run: () => Promise<unknown>
  /** If it is a row of a list. */
  row?: DeletedRow
  onDone?: () => void
}

/** Asks for confirmation, deletes, and reports success. */
export function confirmDelete({ name, consequence, run, row, onDone }: ConfirmDeleteOptions): void {
  modals.openConfirmModal({
    title: <NumbersIn text={textOf(common, 'deleteQuestion', { name })} />,
    children: consequence && <Text>{consequence}</Text>,
    labels: { confirm: textOf(common, 'delete'), cancel: textOf(common, 'cancel') },
    confirmProps: { color: 'red' },
    onConfirm: () => {
      const deleted = row ? deleteRow(row, run) : run()
      deleted.then(() => {
        notifications.show({ message: textOf(common, 'deleted', { name }), color: 'green' })
        onDone?.()
      }, complain)
    },
  })
}

/** Shows a secret that the API returns only once. */
export function showSecret({ title, what, value }: { title: string; what: string; value: string }): void {
  modals.open({
    title,
    closeOnClickOutside: false,
    children: (
      <Stack>
        <Alert color="yellow" icon={<IconKey />}>
          {textOf(common, 'secretOnce')}
        </Alert>
        <Copyable value={value} what={what} />
      </Stack>
    ),
  })
}
