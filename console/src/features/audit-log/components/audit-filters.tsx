import { DayRangeFields } from '../../../design/day-range'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { nouns } from '../actions'
import { actorChoices } from '../actors'
import type { AuditSearch } from '../queries'
import { auditLogTexts } from '../texts'
import { ActionFilter } from './action-filter'
import { IpFilter } from './ip-filter'
import { OnlyButton } from './only-button'

export type AuditSearchChange = { [Field in keyof AuditSearch]: AuditSearch[Field] | undefined }

interface AuditFiltersProps {
  search: AuditSearch
  /** The target's name in its own entries. */
  targetName: string | undefined
  onChange: (change: AuditSearchChange) => void
}

export function AuditFilters({ search, targetName, onChange }: AuditFiltersProps) {
  const t = useTexts(auditLogTexts)
  return (
    <>
      <Picker
        label={t('who')}
        clearable
        clearButtonProps={{ 'aria-label': t('all') }}
        placeholder={t('all')}
        source={actorChoices}
        value={search.actor ?? null}
        onChange={(actor) => onChange({ actor: actor ?? undefined })}
        w={180}
      />
      <ActionFilter value={search.action} nouns={nouns} onChange={(action) => onChange({ action })} />
      <IpFilter value={search.ip} onChange={(ip) => onChange({ ip })} />
      <DayRangeFields value={search} onChange={onChange} />
      {search.target && (
        <OnlyButton name={targetName ?? search.target} onClear={() => onChange({ target: undefined })} />
      )}
    </>
  )
}
