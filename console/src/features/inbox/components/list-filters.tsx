/** Which conversations are listed: whose, open or closed, of which number, and what is searched for. */
import { Checkbox, CloseButton, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Picker } from '../../../design/picker'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { textingNumberChoices } from '../queries'
import type { InboxSearch } from '../search'
import { inboxTexts } from '../texts'

/** `undefined` takes a field out of the address. */
export type FilterChange = { [Field in keyof InboxSearch]: InboxSearch[Field] | undefined }

interface Props {
  search: InboxSearch
  onChange: (change: FilterChange) => void
}

export function ListFilters({ search, onChange }: Props) {
  const t = useTexts(inboxTexts)
  const c = useTexts(common)
  const [text, setText] = useState(search.search ?? '')
  const send = useDebouncedCallback((next: string) => onChange({ search: next.trim() || undefined }), 250)
  const type = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <Stack gap="xs" role="search" aria-label={t('listFilters')} pb="xs">
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} />}
        rightSection={text && <CloseButton size="sm" aria-label={c('clear')} onClick={() => type('')} />}
        value={text}
        maxLength={100}
        onChange={({ currentTarget }) => type(currentTarget.value)}
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
