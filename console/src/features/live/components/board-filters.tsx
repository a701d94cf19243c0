/** Filters: team, search text and agent state. */
import { Group, Select } from '@mantine/core'
import { SearchField } from '../../../design/search-field'
import { useTexts } from '../../../i18n/texts'
import { stateWords } from '../../presence/texts'
import { shownStates } from '../../presence/shown-state'
import type { LiveTeam } from '../board'
import type { BoardSearch } from '../board-search'
import { liveTexts } from '../texts'

/** `undefined` removes a field from the URL. */
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
      <SearchField
        label={t('search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
      />
      {search.show === 'agents' && (
        <Select
          aria-label={t('allStates')}
          placeholder={t('allStates')}
          clearable
          clearButtonProps={{ 'aria-label': t('allStates') }}
          data={shownStates.map((state) => ({ value: state, label: words(state) }))}
          value={search.state ?? null}
          onChange={(value) => onChange({ state: shownStates.find((state) => state === value) })}
          style={{ flex: '0 1 180px' }}
        />
      )}
    </Group>
  )
}
