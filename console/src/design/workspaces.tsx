/** The workspace of a row on the operator's pages, and the workspace filter. */
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { workspaceChoices } from '../api/platform'
import { useTexts } from '../i18n/texts'
import { Picker } from './picker'
import { designTexts } from './texts'

const texts = designTexts.workspaces

export function WorkspaceLink({ id }: { id: string }) {
  return (
    <Anchor inherit component={Link} to={`/workspaces/${id}`}>
      {id}
    </Anchor>
  )
}

interface WorkspaceFilterProps {
  value: string | undefined
  onChange: (workspace: string | undefined) => void
  /** Placeholder when none is chosen. */
  placeholder?: string
}

/** Filters a list by workspace. */
export function WorkspaceFilter({ value, onChange, placeholder }: WorkspaceFilterProps) {
  const t = useTexts(texts)
  return (
    <Picker
      label={t('workspace')}
      placeholder={placeholder ?? t('all')}
      source={workspaceChoices}
      clearable
      w={200}
      value={value ?? null}
      onChange={(workspace) => onChange(workspace ?? undefined)}
    />
  )
}
