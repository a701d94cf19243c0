/** Filters of the conversation list: assignee, status, number and search. */
import { Checkbox, Group, SegmentedControl, Stack } from '@mantine/core'
import { Picker } from '../../../design/picker'
import { SearchField } from '../../../design/search-field'
import { useTexts } from '../../../i18n/texts'
import { textingNumberChoices } from '../queries'
import type { InboxSearch } from '../search'
import { inboxTexts } from '../texts'

/** `undefined` removes a field from the URL. */
export type FilterChange = { [Field in keyof InboxSearch]: InboxSearch[Field] | undefined }

interface Props {
  search: InboxSearch
  onChange: (change: FilterChange) => void
}

export function ListFilters({ search, onChange }: Props) {
  const t = useTexts(inboxTexts)
  return (
    <Stack gap="xs" role="search" aria-label={t('listFilters')} pb="xs">
      <SearchField
        label={t('search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text?.trim() || undefined })}
        style={{}}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('whose')}
        value={search.view ?? 'all'}
        onChange={(view) => onChange({ view: view === 'all' ? undefined : view })}
        data={[
          { value: 'mine', label: t('mine') },
          { value: 'unassigned', label: t('unassigned') },
          { value: 'all', label: t('anybody') },
        ]}
      />
      <Group gap="xs" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('status')}
          value={search.status ?? 'open'}
          onChange={(status) => onChange({ status: status === 'closed' ? 'closed' : undefined })}
          data={[
            { value: 'open', label: t('open') },
            { value: 'closed', label: t('closed') },
          ]}
        />
        <Checkbox
          size="sm"
          label={t('unreadOnly')}
          checked={search.unread ?? false}
          onChange={({ currentTarget }) => onChange({ unread: currentTarget.checked || undefined })}
        />
      </Group>
      <Picker
        size="xs"
        aria-label={t('number')}
        placeholder={t('number')}
        clearable
        source={textingNumberChoices}
        value={search.number ?? null}
        onChange={(number) => onChange({ number: number ?? undefined })}
      />
    </Stack>
  )
}
