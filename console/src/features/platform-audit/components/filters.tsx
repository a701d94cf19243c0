import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { workspaceChoices } from '../../../api/platform'
import { DayRangeFields } from '../../../design/day-range'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { type AuditSearch, actorKinds, isAction } from '../search'
import { platformAuditTexts } from '../texts'

type Change = { [Field in keyof AuditSearch]: AuditSearch[Field] | undefined }

export function AuditFilters({
  search,
  onSearch,
}: {
  search: AuditSearch
  onSearch: (change: Change) => void
}) {
  const t = useTexts(platformAuditTexts)
  const narrow = (change: Change) => onSearch({ ...change, page: undefined })
  return (
    <>
      <Picker
        label={t('workspace')}
        placeholder={t('allWorkspaces')}
        source={workspaceChoices}
        clearable
        w={200}
        value={search.workspace ?? null}
        onChange={(workspace) => narrow({ workspace: workspace ?? undefined })}
      />
      <Select
        label={t('actorKind')}
        placeholder={t('allActors')}
        data={actorKinds.map((kind) => ({ value: kind, label: t(kind) }))}
        clearable
        clearButtonProps={{ 'aria-label': t('allActors') }}
        w={170}
        value={search.actor ?? null}
        onChange={(actor) => narrow({ actor: actorKinds.find((kind) => kind === actor) })}
      />
      <ActionFilter
        value={search.action ?? ''}
        onChange={(action) => narrow({ action: action || undefined })}
      />
      <DayRangeFields value={search} onChange={narrow} />
      {search.target && (
        <Button
          variant="light"
          rightSection={<IconX size={16} aria-hidden />}
          onClick={() => narrow({ target: undefined })}
        >
          {t('onlyTarget', { id: search.target })}
        </Button>
      )}
    </>
  )
}

/** Half a word is not asked for: the API would refuse it. */
function ActionFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTexts(platformAuditTexts)
  const [text, setText] = useState(value)
  const isWrong = text !== '' && !isAction(text)
  const send = useDebouncedCallback((next: string) => {
    if (next === '' || isAction(next)) onChange(next)
  }, 400)
  return (
    <TextInput
      label={t('action')}
      placeholder={t('actionHint')}
      w={230}
      spellCheck={false}
      value={text}
      error={isWrong && t('actionWrong')}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        send(currentTarget.value)
      }}
    />
  )
}
