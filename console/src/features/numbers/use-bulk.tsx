/** What can be done with several numbers at once. */
import { dataOf } from '@jackfield/sdk'
import { IconSitemap, IconUsersGroup } from '@tabler/icons-react'
import { none, orNone } from '../../api/choices'
import { api } from '../../api/client'
import type { BulkAction, BulkFieldProps } from '../../design/bulk-actions'
import { Picker } from '../../design/picker'
import { common } from '../../i18n/common'
import { useTexts } from '../../i18n/texts'
import { teamChoices } from '../teams/queries'
import { type Number, flowChoices, numbersKey } from './queries'
import { numbersTexts } from './texts'

export function useBulk(): readonly BulkAction<Number>[] {
  const t = useTexts(numbersTexts)
  const change = async (
    { id }: Number,
    body: { call_flow_id: string | null } | { shared_teams_id: string[] },
  ) => dataOf(api.PATCH('/phone-numbers/{id}', { params: { path: { id } }, body }))
  return [
    {
      ...{ key: 'flow', label: t('bulkFlow'), icon: IconSitemap, Field: FlowField },
      question: (count) => t('bulkFlowQuestion', { count }),
      run: async (number, flow) => change(number, { call_flow_id: flow === none ? null : flow }),
      changes: [numbersKey],
    },
    {
      ...{ key: 'team', label: t('bulkTeam'), icon: IconUsersGroup, Field: TeamField },
      question: (count) => t('bulkTeamQuestion', { count }),
      consequence: t('bulkTeamHint'),
      run: async (number, team) =>
        change(number, {
          shared_teams_id: team === none ? [] : [...new Set([...number.shared_teams_id, team])],
        }),
      changes: [numbersKey],
    },
  ]
}

function FlowField(field: BulkFieldProps) {
  const t = useTexts(numbersTexts)
  return (
    <Picker label={t('flow')} source={orNone(flowChoices, t('noFlow'))} required data-autofocus {...field} />
  )
}

function TeamField(field: BulkFieldProps) {
  const [t, words] = [useTexts(numbersTexts), useTexts(common)]
  const source = orNone(teamChoices, t('allAgents'))
  return <Picker label={words('team')} source={source} required data-autofocus {...field} />
}
