/** The workspace of a row on the operator's pages, and the workspace filter. */
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { choicesQuery } from '../api/choices'
import { workspaceChoices } from '../api/platform'
import { useTexts } from '../i18n/texts'
import { Picker } from './picker'
import { designTexts } from './texts'

const texts = designTexts.workspaces

/** Titles change seldom, and a page asks for one in each row. Milliseconds. */
const titlesKeptMs = 60_000

/**
 * @returns its id until the title is there, and if it has been deleted. The first fifty come with one request; the API's
 * search finds the others by their ids.
 */
export function useWorkspaceTitle(id: string): string {
  const most = useQuery({ ...choicesQuery(workspaceChoices, ''), staleTime: titlesKeptMs })
  const among = most.data?.find(({ value }) => value === id)
  const enabled = most.data !== undefined && !among
  const one = useQuery({ ...choicesQuery(workspaceChoices, id), staleTime: titlesKeptMs, enabled })
  return (among ?? one.data?.find(({ value }) => value === id))?.label ?? id
}

export function WorkspaceLink({ id }: { id: string }) {
  return (
    <Anchor inherit component={Link} to={`/workspaces/${id}`}>
      {useWorkspaceTitle(id)}
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
