import { Select } from '@mantine/core'
import { wordOf } from '../../../api/lists'
import { CountryField } from '../../../design/country-field'
import { useTexts } from '../../../i18n/texts'
import { stateWords } from '../../presence/texts'
import { type AgentsFilter, accountFilters, agentStates } from '../queries'
import { agentsTexts } from '../texts'

interface AgentFiltersProps {
  value: AgentsFilter
  onChange: (change: { [Field in keyof AgentsFilter]: AgentsFilter[Field] | undefined }) => void
}

export function AgentFilters({ value, onChange }: AgentFiltersProps) {
  const t = useTexts(agentsTexts)
  const words = useTexts(stateWords)
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
      <CountryField
        aria-label={t('country')}
        {...clearedTo(t('allCountries'))}
        value={value.country ?? null}
        onChange={(country) => onChange({ country: country ?? undefined })}
      />
    </>
  )
}
