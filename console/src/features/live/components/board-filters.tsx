/** Which team is shown, what is searched for, and of agents in which state. */
import { CloseButton, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { stateWords } from '../../presence/state-words'
import { type LiveTeam, agentStates } from '../board'
import type { BoardSearch } from '../board-search'
import { liveTexts } from '../texts'

/** `undefined` takes a field out of the address. */
export type BoardChange = { [Field in keyof BoardSearch]: BoardSearch[Field] | undefined }

interface BoardFiltersProps {
  search: BoardSearch
  teams: readonly LiveTeam[]
  onChange: (change: BoardChange) => void
}

export function BoardFilters({ search, teams, onChange }: BoardFiltersProps) {
  const t = useTexts(liveTexts)
  const words = useTexts(stateWords)
  return (
    <Group gap="sm" align="flex-end">
      <Select
        aria-label={t('team')}
        placeholder={t('allTeams')}
        clearable
        clearButtonProps={{ 'aria-label': t('allTeams') }}
        searchable
        limit={100}
        data={teams.map(({ id, title }) => ({ value: id, label: title }))}
        value={search.team ?? null}
        onChange={(value) => onChange({ team: value ?? undefined })}
        style={{ flex: '0 1 240px' }}
      />
      <SearchField value={search.search ?? ''} onChange={(text) => onChange({ search: text || undefined })} />
      {search.show === 'agents' && (
        <Select
          aria-label={t('allStates')}
          placeholder={t('allStates')}
          clearable
          clearButtonProps={{ 'aria-label': t('allStates') }}
          data={agentStates.map((state) => ({ value: state, label: words(state) }))}
          value={search.state ?? null}
          onChange={(value) => onChange({ state: agentStates.find((state) => state === value) })}
          style={{ flex: '0 1 180px' }}
        />
      )}
    </Group>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useTexts(liveTexts)
  const c = useTexts(common)
  const [text, setText] = useState(value)
  const send = useDebouncedCallback(onChange, 200)
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      maxLength={100}
      leftSection={<IconSearch size={16} />}
      rightSection={text && <CloseButton size="sm" aria-label={c('clear')} onClick={() => change('')} />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      style={{ flex: '1 1 200px', maxWidth: 360 }}
    />
  )
}
