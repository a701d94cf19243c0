/** Dialogs that many pages open. */
import { Alert, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconKey } from '@tabler/icons-react'
import { type DeletedRow, deleteRow } from '../api/deleting'
import { complain } from '../api/use-action'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { Copyable } from './values'

interface ConfirmDeleteOptions {
  /** What is deleted, as people know it. */
  name: string
  /** What is lost with it. */
  consequence?: string
  run: () => Promise<unknown>
  /** Where it is a row of a list. */
  row?: DeletedRow
  onDone?: () => void
}

/** Asks before something is deleted, deletes it, and says so. */
export function confirmDelete({ name, consequence, run, row, onDone }: ConfirmDeleteOptions): void {
  modals.openConfirmModal({
    title: textOf(common, 'deleteQuestion', { name }),
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

/** Shows a secret that the API answers only once. */
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
