/** What can be done with one row of a list. */
import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash, IconUserMinus } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../i18n/texts'

const texts = defineTexts('row-actions', {
  en: { delete: 'Delete {{name}}', edit: 'Edit {{name}}' },
  de: { delete: '{{name}} löschen', edit: '{{name}} bearbeiten' },
})

interface RowActionsProps {
  /** The row, as people know it. */
  name: string
  onEdit?: () => void
  onDelete?: () => void
}

export function RowActions({ name, onEdit, onDelete }: RowActionsProps) {
  const t = useTexts(texts)
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {onEdit && (
        <Tooltip label={t('edit', { name })}>
          <ActionIcon variant="subtle" aria-label={t('edit', { name })} onClick={onEdit}>
            <IconPencil size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      {onDelete && (
        <Tooltip label={t('delete', { name })}>
          <ActionIcon variant="subtle" color="red" aria-label={t('delete', { name })} onClick={onDelete}>
            <IconTrash size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

/** Takes somebody out of a list, without deleting them. */
export function RemoveAction({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="red" aria-label={label} onClick={onClick}>
        <IconUserMinus size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
