import { Button, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { DayRangeFields } from '../../../design/day-range'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { nounOf, nounText, nouns, verbsOf } from '../actions'
import { actorChoices } from '../actors'
import type { AuditSearch } from '../queries'
import { auditLogTexts } from '../texts'

export type AuditSearchChange = { [Field in keyof AuditSearch]: AuditSearch[Field] | undefined }

interface AuditFiltersProps {
  search: AuditSearch
  /** What the entries of one thing call it. */
  targetName: string | undefined
  onChange: (change: AuditSearchChange) => void
}

export function AuditFilters({ search, targetName, onChange }: AuditFiltersProps) {
  const t = useTexts(auditLogTexts)
  const clear = { clearable: true, clearButtonProps: { 'aria-label': t('all') }, placeholder: t('all') }
  const [word, verb] = search.action?.split('.') ?? []
  const noun = nounOf(word)
  const things = nouns
    .map((value) => ({ value, label: nounText(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  return (
    <>
      <Picker
        label={t('who')}
        {...clear}
        source={actorChoices}
        value={search.actor ?? null}
        onChange={(actor) => onChange({ actor: actor ?? undefined })}
        w={180}
      />
      <Select
        label={t('what')}
        {...clear}
        searchable
        data={things}
        value={noun ?? null}
        onChange={(action) => onChange({ action: action ?? undefined })}
        w={180}
      />
      {noun && (
        <Select
          label={t('done')}
          {...clear}
          data={verbsOf(noun).map((value) => ({ value, label: t(`verb_${value}`) }))}
          value={verb ?? null}
          onChange={(next) => onChange({ action: next ? `${noun}.${next}` : noun })}
          w={150}
        />
      )}
      <DayRangeFields value={search} onChange={onChange} />
      {search.target && (
        <Button
          variant="light"
          rightSection={<IconX size={16} aria-hidden />}
          aria-label={t('clearTarget', { name: targetName ?? search.target })}
          onClick={() => onChange({ target: undefined })}
        >
          {t('onlyTarget', { name: targetName ?? search.target })}
        </Button>
      )}
    </>
  )
}
