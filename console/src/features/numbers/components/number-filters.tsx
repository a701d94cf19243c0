import { Select } from '@mantine/core'
import { orNone } from '../../../api/choices'
import { Picker } from '../../../design/picker'
import type { FilterProps } from '../../../design/resource-page'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { teamChoices } from '../../teams/queries'
import {
  type NumbersSearch,
  capabilities,
  capabilityOf,
  flowChoices,
  numberStateOf,
  numberStates,
} from '../queries'
import { numbersTexts } from '../texts'

export function NumberFilters({ search, onChange }: FilterProps<NumbersSearch>) {
  const [t, words] = [useTexts(numbersTexts), useTexts(common)]
  const clearedTo = (all: string) => ({
    ...{ placeholder: all, clearable: true, clearButtonProps: { 'aria-label': all }, w: 170 },
  })
  return (
    <>
      <Select
        aria-label={t('status')}
        {...clearedTo(t('anyStatus'))}
        data={numberStates.map((value) => ({ value, label: t(value) }))}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: numberStateOf(value) })}
      />
      <Select
        aria-label={t('capabilities')}
        {...clearedTo(t('anyCapability'))}
        data={capabilities.map((value) => ({ value, label: t(value) }))}
        value={search.capability ?? null}
        onChange={(value) => onChange({ capability: capabilityOf(value) })}
      />
      <Picker
        aria-label={t('flow')}
        {...clearedTo(t('anyFlow'))}
        source={orNone(flowChoices, t('noFlow'))}
        value={search.flow ?? null}
        onChange={(flow) => onChange({ flow: flow ?? undefined })}
      />
      <Picker
        aria-label={words('team')}
        {...clearedTo(t('anyTeam'))}
        source={orNone(teamChoices, t('allAgents'))}
        value={search.team ?? null}
        onChange={(team) => onChange({ team: team ?? undefined })}
      />
    </>
  )
}
