/** The buttons of a field that takes several rows. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'

/** What stands beside a field is as much lower as its label is high. Pixels. */
export const belowLabel = 24

interface RemoveRowProps {
  /** Index of the row that it removes. */
  label: string
  onClick: () => void
  /** Beside a field with a label it stands as low as the field itself. */
  besideLabel?: boolean
}

export function RemoveRow({ label, onClick, besideLabel = false }: RemoveRowProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      size="lg"
      aria-label={label}
      onClick={onClick}
      {...(besideLabel && { mt: belowLabel })}
    >
      <IconTrash size={18} />
    </ActionIcon>
  )
}

interface AddRowProps {
  label: string
  onClick: () => void
  disabled?: boolean
}

export function AddRow({ label, onClick, disabled = false }: AddRowProps) {
  return (
    <Group>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={disabled}
        onClick={onClick}
      >
        {label}
      </Button>
    </Group>
  )
}
