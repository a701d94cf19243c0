import { Select } from '@mantine/core'
import { orNone } from '../../../api/choices'
import { wordOf } from '../../../api/lists'
import { CountryField } from '../../../design/country-field'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { roleWords, stateWords } from '../../presence/texts'
import { type AgentsFilter, accountFilters, agentRoles, agentStates } from '../queries'
import { teamChoices } from '../../teams/queries'
import { agentsTexts } from '../texts'

interface AgentFiltersProps {
  value: AgentsFilter
  onChange: (change: { [Field in keyof AgentsFilter]: AgentsFilter[Field] | undefined }) => void
}

export function AgentFilters({ value, onChange }: AgentFiltersProps) {
  const t = useTexts(agentsTexts)
  const [words, roles] = [useTexts(stateWords), useTexts(roleWords)]
  const clearedTo = (all: string) => ({
    ...{ placeholder: all, clearable: true, clearButtonProps: { 'aria-label': all }, w: 170 },
  })
  return (
    <>
      <Select
        aria-label={t('state')}
        {...clearedTo(t('allStates'))}
        data={agentStates.map((state) => ({ value: state, label: words(state) }))}
        value={value.state ?? null}
        onChange={(state) => onChange({ state: wordOf(state, agentStates) })}
      />
      <Select
        aria-label={t('account')}
        {...clearedTo(t('allAccounts'))}
        data={accountFilters.map((account) => ({ value: account, label: t(`only_${account}`) }))}
        value={value.account ?? null}
        onChange={(account) => onChange({ account: wordOf(account, accountFilters) })}
      />
      <Select
        aria-label={t('role')}
        {...clearedTo(t('allRoles'))}
        data={agentRoles.map((role) => ({ value: role, label: roles(role) }))}
        value={value.role ?? null}
        onChange={(role) => onChange({ role: wordOf(role, agentRoles) })}
      />
      <Picker
        aria-label={t('team')}
        placeholder={t('allTeams')}
        clearable
        source={orNone(teamChoices, t('inNoTeam'))}
        value={value.team ?? null}
        onChange={(team) => onChange({ team: team ?? undefined })}
        w={170}
      />
      <CountryField
        aria-label={t('country')}
        {...clearedTo(t('allCountries'))}
        value={value.country ?? null}
        onChange={(country) => onChange({ country: country ?? undefined })}
      />
    </>
  )
}
