import { Select } from '@mantine/core'
import { DayRangeFields } from '../../../design/day-range'
import { WorkspaceFilter } from '../../../design/workspaces'
import { useTexts } from '../../../i18n/texts'
import { nouns, platformNouns } from '../../audit-log/actions'
import { actorKindOf, actorKinds, actorName } from '../../audit-log/actors'
import { ActionFilter } from '../../audit-log/components/action-filter'
import { IpFilter } from '../../audit-log/components/ip-filter'
import { OnlyButton } from '../../audit-log/components/only-button'
import type { AuditEntry } from '../../audit-log/queries'
import type { AuditSearch } from '../search'
import { platformAuditTexts } from '../texts'

export type AuditSearchChange = { [Field in keyof AuditSearch]: AuditSearch[Field] | undefined }

interface PlatformAuditFiltersProps {
  search: AuditSearch
  /** A listed entry: it has the names of the actor and target that the list is filtered by. */
  example: AuditEntry | undefined
  onChange: (change: AuditSearchChange) => void
}

export function PlatformAuditFilters({ search, example, onChange }: PlatformAuditFiltersProps) {
  const t = useTexts(platformAuditTexts)
  const kind = actorKindOf(search.actor)
  return (
    <>
      <WorkspaceFilter
        value={search.workspace}
        placeholder={t('allWorkspaces')}
        onChange={(workspace) => onChange({ workspace })}
      />
      <Select
        label={t('actorKind')}
        placeholder={t('allActors')}
        data={actorKinds.map((value) => ({ value, label: t(value) }))}
        clearable
        clearButtonProps={{ 'aria-label': t('allActors') }}
        w={170}
        value={kind ?? null}
        onChange={(actor) => onChange({ actor: actor ?? undefined })}
      />
      <ActionFilter
        value={search.action}
        nouns={[...nouns, ...platformNouns]}
        onChange={(action) => onChange({ action })}
      />
      <IpFilter value={search.ip} onChange={(ip) => onChange({ ip })} />
      <DayRangeFields value={search} onChange={onChange} />
      {search.actor && !kind && (
        <OnlyButton
          name={example?.actor.id === search.actor ? actorName(example.actor) : search.actor}
          onClear={() => onChange({ actor: undefined })}
        />
      )}
      {search.target && (
        <OnlyButton
          name={(example?.target.id === search.target && example.target.name) || search.target}
          onClear={() => onChange({ target: undefined })}
        />
      )}
    </>
  )
}
