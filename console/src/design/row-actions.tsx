/** Actions of a row. */
import { ActionIcon, Group } from '@mantine/core'
import { type Icon, IconPencil, IconTrash, IconUserMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.rowActions

interface RowActionProps {
  label: string
  icon: Icon
  onClick: () => void
  /** Destructive. */
  isDangerous?: boolean
  isDisabled?: boolean
  isRunning?: boolean
}

/** One button of a row, with a native title: two hundred tooltip components on a page are too slow to draw. */
export function RowAction({
  label,
  icon: Picture,
  onClick,
  isDangerous = false,
  isDisabled = false,
  isRunning = false,
}: RowActionProps) {
  return (
    <ActionIcon
      variant="subtle"
      {...(isDangerous && { color: 'red' })}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      loading={isRunning}
      onClick={onClick}
    >
      <Picture size={18} />
    </ActionIcon>
  )
}

interface RowActionsProps {
  /** Human-readable name of the row. */
  name: string
  onEdit?: () => void
  onDelete?: () => void
  /** Other words than the usual ones. */
  labels?: RowLabels
  /** Further actions, before these. */
  children?: ReactNode
}

export interface RowLabels {
  edit?: string
  delete?: string
}

export function RowActions({ name, onEdit, onDelete, labels = {}, children }: RowActionsProps) {
  const t = useTexts(texts)
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {children}
      {onEdit && <RowAction label={labels.edit ?? t('edit', { name })} icon={IconPencil} onClick={onEdit} />}
      {onDelete && (
        <RowAction
          label={labels.delete ?? t('delete', { name })}
          icon={IconTrash}
          isDangerous
          onClick={onDelete}
        />
      )}
    </Group>
  )
}

/** Removes a member from a list without deleting it. */
export function RemoveAction({ label, onClick }: { label: string; onClick: () => void }) {
  return <RowAction label={label} icon={IconUserMinus} isDangerous onClick={onClick} />
}
